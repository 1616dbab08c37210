#include "coppice/data/keep_columns.h"

#include <algorithm>
#include <memory>

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
  Dataset kept{.inputs = {}, .labels = data.labels, .targets = data.targets, .weights = data.weights};
  if (data.packed) {
    kept.packed = std::make_shared<PackedRows>(data.packed->with_inputs(inputs));
    return kept;
  }
  const double bytes = static_cast<double>(data.rows()) * static_cast<double>(inputs.size() * sizeof(float));
  const std::shared_ptr<ScratchFile> file = memory != nullptr ? memory->take(bytes) : nullptr;
  const auto keep = [&](std::size_t row, std::span<float> some) {
    for (std::size_t i = 0; i < inputs.size(); ++i) some[i] = data.inputs(row, inputs[i]);
  };
  if (!file) {
    kept.inputs = Matrix<float>::packed(data.rows(), inputs.size());
    for (std::size_t row = 0; row < data.rows(); ++row) keep(row, kept.inputs.row(row));
    return kept;
  }
  RowFormat format;
  format.add_floats(inputs.size());
  const auto written = std::make_shared<PackedRows>(format, data.rows(), file);
  Matrix<float> block = Matrix<float>::packed(1024, inputs.size());
  for (std::size_t first = 0; first < data.rows(); first += block.rows()) {
    const std::size_t count = std::min(block.rows(), data.rows() - first);
    for (std::size_t i = 0; i < count; ++i) keep(first + i, block.row(i));
    written->write(first, std::as_bytes(std::span(block[0], count * inputs.size())));
  }
  kept.packed = written;
  return kept;
}

}  // namespace coppice
