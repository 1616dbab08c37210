#include "coppice/core/error.h"
#include "coppice/core/text.h"
#include "coppice/data/arff_cursor.h"
#include "coppice/data/cell.h"
#include "coppice/data/records.h"
#include "coppice/data/text_source.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <unordered_set>

namespace coppice {

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

/// Moves to the next line that says something; false at the end.
bool next_statement(TextSource& source) {
  while (source.next()) {
    const auto text = trim(source.view());
    if (!text.empty() && text[0] != '%') return true;
  }
  return false;
}

void read_values(ArffCursor& cursor, ColumnProfile& column, const TextSource& source) {
  do {
    column.declared_values.emplace_back(cursor.word(",}"));
  } while (cursor.take(','));
  if (!cursor.take('}') || !cursor.done()) {
    fail(
        "{}: line {}: the list of values of attribute {} does not end with '}}'; put it at the end of the "
        "line",
        source.path(), source.line(), cited(column.name));
  }
}

ColumnProfile read_attribute(ArffCursor& cursor, const TextSource& source) {
  ColumnProfile column;
  column.name = to_utf8(cursor.word(" \t"));
  if (column.name.empty()) fail("{}: line {}: the attribute has no name", source.path(), source.line());
  column.declared = ColumnKind::text;
  if (cursor.take('{')) {
    read_values(cursor, column, source);
    return column;
  }
  const std::string type = lower(cursor.word(" \t"));
  if (type == "numeric" || type == "real" || type == "integer") {
    column.declared = ColumnKind::number;
  } else if (type == "date") {
    fail(
        "{}: line {}: attribute {} is a date, which cannot be read; make it a number, such as days, or a "
        "string",
        source.path(), source.line(), cited(column.name));
  } else if (type != "string") {
    fail(
        "{}: line {}: attribute {} has the unknown type {}; use numeric, string or a list of values {{a, b}}",
        source.path(), source.line(), cited(column.name), cited(type));
  }
  return column;
}

/// Reads up to and with @data.
std::vector<ColumnProfile> read_header(TextSource& source) {
  std::vector<ColumnProfile> columns;
  std::unordered_set<std::string> names;
  while (next_statement(source)) {
    ArffCursor cursor(source.text(), source.path(), source.line());
    const std::string keyword = lower(cursor.word(" \t"));
    if (keyword == "@data") return columns;
    if (keyword == "@attribute") {
      columns.push_back(read_attribute(cursor, source));
      if (!names.insert(columns.back().name).second) {
        fail("{}: line {}: there is an attribute {} already; rename one of them", source.path(),
             source.line(), cited(columns.back().name));
      }
      if (columns.size() > most_columns) {
        fail("{}: line {}: there are more than {} attributes, the most a table can have", source.path(),
             source.line(), most_columns);
      }
    } else if (keyword != "@relation") {
      fail("{}: line {}: {} stands where @relation, @attribute or @data is expected", source.path(),
           source.line(), cited(keyword));
    }
  }
  fail("{}: line {}: the file ends without @data; put @data and the rows after the attributes", source.path(),
       source.line());
}

class ArffReader : public RecordReader {
 public:
  explicit ArffReader(const TableProfile& profile)
      : source_(profile.source.path), width_(profile.columns.size()) {
    read_header(source_);
  }

  bool next(Record& record) override {
    if (!next_statement(source_)) return false;
    record.line = source_.line();
    record.cells.clear();
    record.columns.clear();
    ArffCursor cursor(source_.text(), source_.path(), record.line);
    record.sparse = cursor.take('{');
    if (record.sparse) {
      if (!cursor.take('}')) read_sparse(cursor, record);
      if (!cursor.done()) refuse(cursor.rest(), "stands after the end '}' of a sparse row; remove it");
    } else {
      do {
        record.cells.push_back(cursor.word(","));
      } while (record.cells.size() <= most_columns && cursor.take(','));
      require_width(
          source_.path(), record, width_,
          record.cells.size() < width_
              ? "give every row a value for each attribute, with commas between them"
              : "give every row a value for each attribute, and quote a value that contains a comma",
          true);
    }
    return true;
  }

 private:
  void read_sparse(ArffCursor& cursor, Record& record) {
    do {
      const auto word = cursor.word(" \t,}");
      std::uint32_t index = 0;
      const auto [stop, code] = std::from_chars(word.data(), word.data() + word.size(), index);
      if (stop != word.data() + word.size() || code != std::errc{} || index >= width_) {
        refuse(word, fmt::format("is no index of an attribute; indices go from 0 to {}", width_ - 1));
      }
      if (!record.columns.empty() && index <= record.columns.back()) {
        refuse(word, "is an index out of order; sort the indices of a row in ascending order, each once");
      }
      const auto value = cursor.word(",}");
      if (value.empty() && !cursor.was_quoted())
        refuse(word, "is an index without a value; put one after it");
      record.columns.push_back(index);
      record.cells.push_back(value);
    } while (cursor.take(','));
    if (cursor.take('}')) return;
    if (cursor.done()) {
      fail("{}: line {}: the sparse row does not end with '}}'; put it at the end of the line",
           source_.path(), source_.line());
    }
    refuse(cursor.rest(), "stands where a sparse row must end; put '}' there");
  }

  [[noreturn]] void refuse(std::string_view what, std::string_view why) const {
    fail("{}: line {}: {} {}", source_.path(), source_.line(), cited(what), why);
  }

  TextSource source_;
  std::size_t width_;
};

}  // namespace

void describe_arff(TableProfile& profile) {
  TextSource source(profile.source.path);
  profile.columns = read_header(source);
  profile.description = "arff";
  if (profile.columns.empty()) fail("{}: there is no @attribute before @data", profile.source.path);
  const auto named_class =
      std::ranges::find_if(profile.columns, [](const auto& column) { return lower(column.name) == "class"; });
  profile.target = (named_class == profile.columns.end() ? profile.columns.back() : *named_class).name;
}

std::unique_ptr<RecordReader> read_arff(const TableProfile& profile) {
  return std::make_unique<ArffReader>(profile);
}

}  // namespace coppice
