#include "coppice/data/records.h"

#include "coppice/core/error.h"

namespace coppice {

std::unique_ptr<RecordReader> read_records(const TableProfile& profile) {
  switch (profile.source.format) {
    case Format::libsvm:
      return read_libsvm(profile);
    case Format::arff:
      return read_arff(profile);
    case Format::amat:
      return read_amat(profile);
    default:
      return read_csv(profile);
  }
}

std::string_view absent_text(const ColumnProfile& column) {
  if (!column.declared_values.empty()) return column.declared_values.front();
  return column.declared == ColumnKind::text ? "" : "0";
}

namespace {

/// Two whole numbers side by side may be one with a decimal comma.
bool may_divide_numbers(const Record& record) {
  const auto whole = [](std::string_view cell) {
    return !cell.empty() && cell.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const auto signed_whole = [&](std::string_view cell) {
    return whole(cell.starts_with('-') ? cell.substr(1) : cell);
  };
  for (std::size_t i = 1; i < record.cells.size(); ++i) {
    if (signed_whole(record.cells[i - 1]) && whole(record.cells[i])) return true;
  }
  return false;
}

}  // namespace

void require_width(const std::string& path, const Record& record, std::size_t width, std::string_view remedy,
                   bool commas_divide) {
  if (record.cells.size() == width) return;
  const bool decimal = commas_divide && record.cells.size() > width && may_divide_numbers(record);
  fail("{}: line {}: expected {} {}, but found {}; {}{}", path, record.line, width,
       width == 1 ? "field" : "fields", record.cells.size(), remedy,
       decimal ? ", or write a decimal point if there are decimal commas" : "");
}

void split_blanks(std::string_view line, std::vector<std::string_view>& words) {
  words.clear();
  const char* at = line.data();
  const char* const end = at + line.size();
  while (true) {
    while (at != end && (*at == ' ' || *at == '\t')) ++at;
    if (at == end || words.size() > most_columns) return;
    const char* const first = at;
    while (at != end && *at != ' ' && *at != '\t') ++at;
    words.emplace_back(first, static_cast<std::size_t>(at - first));
  }
}

}  // namespace coppice
