#pragma once

#include "coppice/data/dataset.h"
#include "coppice/data/encoding.h"
#include "coppice/device/threads.h"
#include "coppice/model/model.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace coppice {

/// Network inputs that belong together: those of one column, or of one block of pixels.
using InputGroup = std::vector<std::size_t>;

/// The inputs that are made of one column of the user's table.
struct ColumnGroup {
  std::string name;
  InputGroup inputs;
};

/// One group per column of the user's table, in the order of the encoding.
std::vector<ColumnGroup> column_groups(const Encoding& encoding);

std::vector<InputGroup> inputs_of(std::span<const ColumnGroup> groups);

/// Standard deviation of every network input over the rows.
std::vector<double> input_deviations(const Dataset& data, std::span<const std::uint32_t> rows);

/// How strongly each network input reaches into the network: the length of its folded fan-out, each weight
/// times the length of the folded fan-out of the unit it leads to, times the input's deviation (one that
/// never varies tells nothing, whatever its weights).
std::vector<double> input_strengths(const Model& model, std::span<const double> deviations);

/// Groups as wholes: the root of the sum of squares of their inputs' strengths.
std::vector<double> group_strengths(std::span<const double> inputs, std::span<const InputGroup> groups);

/// How much the log-loss of classes, or the error of numbers, rises when the values of one group are shuffled among the rows, the other inputs left
/// as they are; one number per group. All inputs of a group move together.
std::vector<double> permutation_importance(ThreadPool& pool, const Model& model, const Dataset& data,
                                           std::span<const std::uint32_t> rows,
                                           std::span<const InputGroup> groups, std::uint64_t seed,
                                           std::span<const std::uint32_t> net_of = {});

}  // namespace coppice
