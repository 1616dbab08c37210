#pragma once

#include "coppice/data/dataset.h"
#include "coppice/data/table.h"
#include "coppice/device/threads.h"
#include "coppice/model/model.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace coppice {

/// What a model says on average over rows whose cells in one column, or in two, are all replaced by each of some values.
struct Dependence {
  std::vector<std::string> columns;              ///< one or two
  std::vector<std::vector<std::string>> values;  ///< of each of them, as texts
  std::size_t outputs = 1;                       ///< classes; 1: the value
  std::vector<double>
      answers;  ///< probabilities or values: by value of the first column, of the second, by output

  double answer(std::size_t first, std::size_t second = 0, std::size_t output = 0) const {
    const std::size_t width = values.size() > 1 ? values[1].size() : 1;
    return answers[(first * width + second) * outputs + output];
  }
};

/// Values of a column of the table that stand for all of its cells, as a table of that column alone: numbers and dates at
/// equal steps of their order, texts by falling frequency; no more than `count` different ones, missing cells left out.
/// Fails if the model does not use the column, or no cell is there.
Table typical_values(const Model& model, const Table& table, const std::string& column, std::size_t count);

/// Partial dependence on a column, or how two of them work together: `values` has one table of one column for each. `rows`
/// of the encoded data are averaged over.
Dependence partial_dependence(ThreadPool& pool, const Model& model, const Dataset& data,
                              std::span<const std::uint32_t> rows, std::span<const Table> values);

}  // namespace coppice
