#include "coppice/data/growing_table.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/cell_memory.h"

#include <utility>

namespace coppice {

struct GrowingTable::Growing {
  ColumnBuilder builder;
  Kind kind;
  NumberCodes<double> doubles;
  NumberCodes<std::int64_t> integers;
};

GrowingTable::GrowingTable(double memory)
    : memory_(memory > 0 ? std::make_shared<CellMemory>(memory) : nullptr) {}

GrowingTable::~GrowingTable() = default;

std::string_view GrowingTable::name_of(Kind kind) {
  switch (kind) {
    case Kind::floats:
      return "float32 numbers";
    case Kind::doubles:
      return "float64 numbers";
    case Kind::integers:
      return "whole numbers";
    case Kind::texts:
      return "texts";
    case Kind::codes:
      return "codes";
  }
  return "";
}

void GrowingTable::require_open() const {
  if (state_ == State::broken)
    fail("{}: cells were lost when an earlier call failed; begin another table", name_);
  if (state_ == State::finished) fail("{}: it is finished; begin another table", name_);
}

GrowingTable::Growing& GrowingTable::column(const std::string& name, Kind kind) {
  if (const auto found = index_.find(name); found != index_.end()) {
    Growing& column = *columns_[found->second];
    if (column.kind == kind) return column;
    fail_at({.column = name}, "{}: column {} has {} so far and cannot take {}; give it one kind", name_,
            cited(name), name_of(column.kind), name_of(kind));
  }
  if (name.empty()) fail_at({}, "{}: column {} has no name; give it one", name_, columns_.size() + 1);
  // As Table has them: float32 is all that there is to keep, texts keep every spelling.
  const bool spelled = kind == Kind::texts || kind == Kind::codes;
  const Kept kept = kind == Kind::floats ? Kept::number : spelled ? Kept::text : Kept::best;
  ColumnHead head{.name = name};
  if (kind == Kind::codes) head.declared = ColumnKind::text;
  columns_.push_back(std::make_unique<Growing>(
      Growing{.builder = ColumnBuilder(std::move(head), kept, name_, columns_.size(), memory_),
              .kind = kind,
              .doubles = {},
              .integers = {}}));
  index_.emplace(name, columns_.size() - 1);
  return *columns_.back();
}

template <class Put>
void GrowingTable::grow(const std::string& name, Kind kind, const Put& put) {
  require_open();
  Growing& to = column(name, kind);
  state_ = State::broken;  // what fails in the middle leaves some cells behind
  put(to);
  state_ = State::open;
}

void GrowingTable::add(const std::string& name, std::span<const float> values, const MissingCells& missing) {
  grow(name, Kind::floats, [&](Growing& to) { put_floats(to.builder, values, missing); });
}
void GrowingTable::add(const std::string& name, std::span<const double> values, const MissingCells& missing) {
  grow(name, Kind::doubles, [&](Growing& to) { put_numbers(to.builder, to.doubles, values, missing); });
}
void GrowingTable::add(const std::string& name, std::span<const std::int64_t> values,
                       const MissingCells& missing) {
  grow(name, Kind::integers, [&](Growing& to) { put_numbers(to.builder, to.integers, values, missing); });
}
void GrowingTable::add(const std::string& name, std::span<const std::string_view> texts) {
  grow(name, Kind::texts, [&](Growing& to) { put_texts(to.builder, texts, {}); });
}
void GrowingTable::add(const std::string& name, std::span<const std::int32_t> codes,
                       const std::vector<std::string>& categories) {
  grow(name, Kind::codes, [&](Growing& to) { put_codes(to.builder, codes, categories); });
}

Table GrowingTable::finish() {
  require_open();
  const std::size_t rows = columns_.empty() ? 0 : columns_.front()->builder.rows();
  for (const auto& column : columns_) {
    const ColumnBuilder& builder = column->builder;
    if (builder.rows() == rows) continue;
    fail_at({.column = builder.name()},
            "{}: column {} has {} rows, but the columns before it have {}; give every column as many", name_,
            cited(builder.name()), builder.rows(), rows);
  }
  state_ = State::finished;
  std::vector<std::shared_ptr<const Column>> done;
  done.reserve(columns_.size());
  for (const auto& column : columns_) done.push_back(column->builder.finish());
  columns_.clear();
  return {TableInfo(), rows, std::move(done)};
}

}  // namespace coppice
