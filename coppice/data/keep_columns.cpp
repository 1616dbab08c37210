#include "coppice/data/keep_columns.h"

#include <algorithm>
#include <numeric>

namespace coppice {

namespace {

/// Columns of the encoding that are made of columns of the table that stay.
std::vector<bool> staying(const Encoding& encoding, const std::unordered_set<std::string>& columns) {
  std::unordered_set<std::string> made;  // of those that stay
  std::unordered_set<std::string> derived_names;
  for (const Derived& derived : encoding.derived) {
    for (const std::string& name : derived.names()) {
      derived_names.insert(name);
      if (columns.contains(derived.source)) made.insert(name);
    }
  }
  std::vector<bool> stays;
  for (const InputColumn& column : encoding.columns)
    stays.push_back((derived_names.contains(column.name) ? made : columns).contains(column.name));
  return stays;
}

}  // namespace

std::vector<std::uint32_t> inputs_made_of(const Encoding& encoding,
                                          const std::unordered_set<std::string>& columns) {
  const std::vector<bool> stays = staying(encoding, columns);
  std::vector<std::uint32_t> inputs;
  std::size_t first = 0;
  for (std::size_t c = 0; c < stays.size(); ++c) {
    const std::size_t width = encoding.columns[c].width();
    for (std::size_t i = 0; stays[c] && i < width; ++i)
      inputs.push_back(static_cast<std::uint32_t>(first + i));
    first += width;
  }
  return inputs;
}

Encoding keep_columns(const Encoding& encoding, const std::unordered_set<std::string>& columns) {
  Encoding kept = encoding;
  const std::vector<bool> stays = staying(encoding, columns);
  kept.columns.clear();
  for (std::size_t c = 0; c < stays.size(); ++c) {
    if (stays[c])
      kept.columns.push_back(encoding.columns[c]);
    else
      kept.unused.push_back(encoding.columns[c].name);
  }
  std::erase_if(kept.derived, [&](const Derived& derived) { return !columns.contains(derived.source); });
  const auto keep = [&, inputs = inputs_made_of(encoding, columns)](const std::vector<float>& from) {
    std::vector<float> to;
    for (const std::uint32_t i : inputs) to.push_back(from[i]);
    return to;
  };
  kept.offset = keep(encoding.offset);
  kept.factor = keep(encoding.factor);
  return kept;
}

Dataset keep_inputs(const Dataset& data, std::span<const std::uint32_t> inputs, RowMemory* memory) {
  constexpr std::size_t block = 1024;
  Dataset kept{.inputs = {}, .labels = data.labels, .targets = data.targets, .weights = data.weights};
  const double bytes = static_cast<double>(data.rows()) * static_cast<double>(inputs.size() * sizeof(float));
  const std::shared_ptr<ScratchFile> file = memory != nullptr ? memory->take(bytes) : nullptr;
  const auto scratch = file ? std::make_shared<ScratchRows>(file, data.rows(), inputs.size()) : nullptr;
  kept.inputs = Matrix<float>::packed(scratch ? block : data.rows(), inputs.size());
  std::vector<std::uint32_t> rows;
  for (std::size_t first = 0; first < data.rows(); first += block) {
    rows.resize(std::min(block, data.rows() - first));
    std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(first));
    const View<float> some = kept.inputs.view().block(scratch ? 0 : first, rows.size());
    for_inputs(data, rows, [&](std::uint32_t row, std::span<const float> all) {
      for (std::size_t i = 0; i < inputs.size(); ++i) some(row - first, i) = all[inputs[i]];
    });
    if (scratch) scratch->write(first, some);
  }
  if (scratch) kept.inputs = {};
  kept.scratch = scratch;
  return kept;
}

}  // namespace coppice
