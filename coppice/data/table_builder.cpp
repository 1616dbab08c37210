#include "coppice/data/table_builder.h"

#include "coppice/core/error.h"
#include "coppice/core/text.h"

#include <algorithm>
#include <unistd.h>

namespace coppice {

namespace {

/// A table that exceeds the memory would end in a killed program instead of a message.
void require_memory(const TableProfile& profile, std::size_t columns) {
  const double needed =
      static_cast<double>(profile.rows) * static_cast<double>(columns) * static_cast<double>(sizeof(float));
  const double memory =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (needed <= memory) return;
  fail(
      "{}: {} rows of {} columns need {:.1f} GB, but this machine has {:.1f} GB of memory; use fewer rows or "
      "columns",
      profile.source.path, profile.rows, columns, needed / 1e9, memory / 1e9);
}

/// Values in Latin-1 become UTF-8; one that the column then holds twice keeps the first code.
void make_utf8(Column& column) {
  TextIndex values;
  std::vector<std::uint32_t> code_of;
  for (const std::string& value : column.values) code_of.push_back(values.add(to_utf8(value)));
  for (std::uint32_t& code : column.codes) {
    if (code != Column::missing) code = code_of[code];
  }
  column.values = values.take();
}

}  // namespace

TableBuilder::TableBuilder(const TableProfile& profile, const LoadPlan& plan) : place_(plan.uses.size()) {
  table_.rows = profile.rows;
  std::size_t numbers = 0;
  for (std::size_t i = 0; i < plan.uses.size(); ++i) {
    if (plan.uses[i] == ColumnUse::skip) continue;
    Column& column = table_.columns.emplace_back();
    column.name = profile.columns[i].name;
    if (plan.uses[i] == ColumnUse::number) {
      column.index = place_[i] = numbers++;
    } else {
      column.kind = ColumnKind::text;
      place_[i] = table_.columns.size() - 1;
    }
  }
  require_memory(profile, table_.columns.size());
  values_.resize(table_.columns.size());
  table_.numbers = Matrix<float>::packed(profile.rows, numbers);
  for (auto& column : table_.columns) {
    if (column.kind == ColumnKind::text) column.codes.resize(profile.rows);
  }
}

Table TableBuilder::finish() {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    Column& column = table_.columns[i];
    if (column.kind != ColumnKind::text) continue;
    column.values = values_[i].take();
    if (!std::ranges::all_of(column.values, is_utf8)) make_utf8(column);
  }
  return std::move(table_);
}

}  // namespace coppice
