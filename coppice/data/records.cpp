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

void require_width(const std::string& path, const Record& record, std::size_t width,
                   std::string_view remedy) {
  if (record.cells.size() == width) return;
  fail("{}: line {}: expected {} {}, but found {}; {}", path, record.line, width,
       width == 1 ? "field" : "fields", record.cells.size(), remedy);
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
