#include "coppice/data/row_format.h"

#include "coppice/device/rows.h"

#include <algorithm>
#include <cstring>

namespace coppice {

namespace {

constexpr std::size_t byte_values = 256;

std::size_t size_of_codes(std::size_t count) {
  return count <= byte_values ? 1 : count <= RowFormat::most_codes ? 2 : 4;
}

std::size_t code_at(const std::byte* from, std::size_t size) {
  std::uint32_t code = 0;
  if (size == 1) return std::to_integer<std::size_t>(*from);
  if (size == 2) {
    std::uint16_t two = 0;
    std::memcpy(&two, from, 2);
    return two;
  }
  std::memcpy(&code, from, 4);
  return code;
}

}  // namespace

/// Whether `next` is more of the same.
bool RowFormat::Run::goes_on_as(const Run& next) const {
  if (kind != next.kind) return false;
  switch (kind) {
    case Kind::floats:
      return at + inputs * sizeof(float) == next.at;
    case Kind::bytes:
      return at + inputs == next.at && table + inputs == next.table;
    case Kind::byte_codes:
      return at + inputs == next.at && table + inputs * byte_values == next.table;
    case Kind::pair_codes:
      return at + inputs * size == next.at && table + inputs == next.table;
    default:
      return false;
  }
}

void RowFormat::append(const Run& run) {
  if (!runs_.empty() && runs_.back().goes_on_as(run))
    runs_.back().inputs += run.inputs;
  else
    runs_.push_back(run);
  inputs_ += run.inputs;
}

void RowFormat::add(Kind kind, std::size_t size, std::size_t width, std::size_t table, std::size_t codes) {
  places_.push_back(bytes_);
  sizes_.push_back(size);
  append({.kind = kind,
          .size = size,
          .at = bytes_,
          .first = inputs_,
          .inputs = width,
          .table = table,
          .codes = codes});
  bytes_ += kind == Kind::floats ? width * sizeof(float) : size;
}

/// Room for so many numbers, in which those of `inputs` come first.
std::size_t RowFormat::add_table(View<const float> inputs, std::size_t room) {
  const std::size_t table = tables_.size();
  for (std::size_t row = 0; row < inputs.rows; ++row)
    tables_.insert(tables_.end(), inputs.row(row).begin(), inputs.row(row).end());
  tables_.resize(table + room);
  return table;
}

void RowFormat::add_floats(std::size_t width) {
  add(Kind::floats, 0, width, 0);
}

void RowFormat::add_byte(double offset, double factor) {
  add(Kind::bytes, 1, 1, offsets_.size());
  offsets_.push_back(offset);
  factors_.push_back(factor);
}

void RowFormat::add_codes(View<const float> inputs) {
  const std::size_t size = size_of_codes(inputs.rows);
  if (size == 1 && inputs.cols == 1) {
    const std::size_t table = add_table(inputs, byte_values);
    add(Kind::byte_codes, size, 1, table, byte_values);
    return;
  }
  const std::size_t table = add_table(inputs, inputs.rows * inputs.cols);
  if (size == 2 && inputs.cols == 1) {
    starts_.push_back(table);
    add(Kind::pair_codes, size, 1, starts_.size() - 1, inputs.rows);
    return;
  }
  add(Kind::codes, size, inputs.cols, table, inputs.rows);
}

void RowFormat::add_category(std::span<const float> zeros, std::span<const float> ones) {
  const std::size_t width = zeros.size();
  const std::size_t table = add_table({zeros.data(), 1, width, width}, width);
  add_table({ones.data(), 1, width, width}, width);
  add(Kind::category, size_of_codes(width), width, table);
}

RowFormat RowFormat::with_inputs(std::span<const std::uint32_t> inputs) const {
  RowFormat kept = *this;
  kept.runs_.clear();
  kept.inputs_ = 0;
  std::size_t next = 0;
  for (const Run& run : runs_) {
    std::vector<std::size_t> own;  // from the run's first on
    for (; next < inputs.size() && inputs[next] < run.first + run.inputs; ++next)
      own.push_back(inputs[next] - run.first);
    if (own.empty()) continue;
    Run some = run;
    some.first = kept.inputs_;
    if (run.kind == Kind::codes || run.kind == Kind::category) {
      if (own.size() < run.inputs) kept.narrow(some, own);
      kept.append(some);
      continue;
    }
    some.inputs = 1;
    for (const std::size_t i : own) {
      some.at = run.at + i * (run.kind == Kind::floats ? sizeof(float) : run.size);
      some.table = run.table + i * (run.kind == Kind::byte_codes ? byte_values : 1);
      some.first = kept.inputs_;
      kept.append(some);
    }
  }
  return kept;
}

/// A run of codes that brings back some of its inputs, by a table of its own.
void RowFormat::narrow(Run& run, std::span<const std::size_t> inputs) {
  const std::size_t table = tables_.size();
  const std::size_t codes = run.kind == Kind::category ? run.inputs : run.codes;
  std::vector<float> all(run.inputs);
  for (std::size_t code = 0; code < codes; ++code) {
    look_up(run, code, all.data());
    for (const std::size_t i : inputs) tables_.push_back(all[i]);
  }
  run.kind = Kind::codes;
  run.codes = codes;
  run.inputs = inputs.size();
  run.table = table;
}

/// The inputs of a code of one column.
void RowFormat::look_up(const Run& run, std::size_t code, float* to) const {
  const float* table = tables_.data() + run.table;
  if (run.kind == Kind::codes) {
    std::copy_n(table + code * run.inputs, run.inputs, to);
    return;
  }
  std::copy_n(table, run.inputs, to);
  to[code] = table[run.inputs + code];
}

void RowFormat::put_code(std::size_t field, std::size_t code, std::byte* row) const {
  const auto small = static_cast<std::uint16_t>(code);
  const auto large = static_cast<std::uint32_t>(code);
  std::byte* to = row + places_[field];
  switch (sizes_[field]) {
    case 1:
      *to = static_cast<std::byte>(code);
      break;
    case 2:
      std::memcpy(to, &small, 2);
      break;
    default:
      std::memcpy(to, &large, 4);
  }
}

void RowFormat::unpack(const std::byte* row, float* inputs) const {
  for (const Run& run : runs_) {
    const std::byte* from = row + run.at;
    float* to = inputs + run.first;
    switch (run.kind) {
      case Kind::floats:
        std::memcpy(to, from, run.inputs * sizeof(float));
        break;
      case Kind::bytes:
        scale_bytes(from, offsets_.data() + run.table, factors_.data() + run.table, {to, run.inputs});
        break;
      case Kind::byte_codes:
        for (std::size_t i = 0; i < run.inputs; ++i)
          to[i] = tables_[run.table + i * byte_values + std::to_integer<std::size_t>(from[i])];
        break;
      case Kind::pair_codes:
        for (std::size_t i = 0; i < run.inputs; ++i)
          to[i] = tables_[starts_[run.table + i] + code_at(from + 2 * i, 2)];
        break;
      case Kind::codes:
      case Kind::category:
        look_up(run, code_at(from, run.size), to);
        break;
    }
  }
}

}  // namespace coppice
