#pragma once

#include "coppice/data/dataset.h"
#include "coppice/data/summary.h"
#include "coppice/device/threads.h"
#include "coppice/model/model.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace coppice {

/// What a model is looked at on: rows that it never learned from, and what is known about the data.
struct AnalysedData {
  const Dataset* held = nullptr;
  std::vector<std::uint32_t> rows;  ///< of it
  std::vector<std::uint32_t>
      net_of;  ///< of every row of `held`: the net of an ensemble that did not learn from it; empty: all nets answer
  bool test = false;  ///< they are test rows, not validation rows
  const DataSummary* summary = nullptr;
  std::string file;  ///< where the data lies; empty: in memory
};

/// What analysis.json holds (docs/run-directory.md): how a net does on rows it was not trained on, what it
/// looks at, and what the data is. `net` is its index in summary.json. The same for any number of threads.
nlohmann::ordered_json analysis_json(ThreadPool& pool, const Model& model, std::size_t net,
                                     const AnalysedData& held);

}  // namespace coppice
