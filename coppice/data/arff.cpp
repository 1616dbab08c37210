#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/records.h"
#include "coppice/data/text_source.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>

namespace coppice {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// Walks over one line of an arff file: words, plain or in ' or " with backslash escapes (undone in place).
class ArffCursor {
 public:
  ArffCursor(std::span<char> text, const std::string& path, std::size_t line);

  bool done();
  /// Steps over `c` if it comes next after blanks.
  bool take(char c);
  /// The next word. A plain one ends before one of `stops` or at the end, without the blanks around it; so
  /// must what follows a quoted one.
  std::string_view word(std::string_view stops);
  /// Whether the word taken last stood in quotes.
  bool was_quoted() const { return was_quoted_; }
  /// What is left, without the blanks around it.
  std::string_view rest();

 private:
  void skip_blanks();
  std::string_view quoted_word(std::string_view stops);

  std::span<char> text_;
  std::size_t at_ = 0;
  const std::string& path_;
  std::size_t line_;
  bool was_quoted_ = false;
};

ArffCursor::ArffCursor(std::span<char> text, const std::string& path, std::size_t line)
    : text_(text), path_(path), line_(line) {}

void ArffCursor::skip_blanks() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
}

bool ArffCursor::done() {
  skip_blanks();
  return at_ == text_.size();
}

bool ArffCursor::take(char c) {
  if (done() || text_[at_] != c) return false;
  ++at_;
  return true;
}

std::string_view ArffCursor::rest() {
  return trim({text_.data() + at_, text_.size() - at_});
}

std::string_view ArffCursor::word(std::string_view stops) {
  skip_blanks();
  was_quoted_ = at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"');
  if (was_quoted_) return quoted_word(stops);
  const std::size_t first = at_;
  while (at_ < text_.size() && stops.find(text_[at_]) == std::string_view::npos) ++at_;
  return trim({text_.data() + first, at_ - first});
}

std::string_view ArffCursor::quoted_word(std::string_view stops) {
  const char quote = text_[at_];
  const std::size_t first = ++at_;
  std::size_t end = first;
  while (at_ < text_.size() && text_[at_] != quote) {
    const bool escaped = text_[at_] == '\\' && at_ + 1 < text_.size();
    if (escaped) ++at_;
    text_[end++] = text_[at_++];
  }
  if (at_ == text_.size()) {
    fail(
        "{}: line {}, character {}: the quote that opens here is never closed; close it, or write \\{} if it "
        "belongs to the text",
        path_, line_, first, quote);
  }
  ++at_;
  const std::string_view word(text_.data() + first, end - first);
  const bool separated = at_ < text_.size() && stops.find(text_[at_]) != std::string_view::npos;
  if (!separated && !done() && stops.find(text_[at_]) == std::string_view::npos) {
    fail(
        "{}: line {}, character {}: there is text after the closing quote; write \\{} for quotes that belong "
        "to the text",
        path_, line_, at_ + 1, quote);
  }
  return word;
}

/// Moves to the next line that says something; false at the end.
bool next_statement(TextSource& source) {
  while (source.next()) {
    const auto text = trim(source.view());
    if (!text.empty() && text[0] != '%') return true;
  }
  return false;
}

void read_values(ArffCursor& cursor, ColumnHead& column, const TextSource& source) {
  do {
    column.declared_values.emplace_back(cursor.word(",}"));
  } while (cursor.take(','));
  if (!cursor.take('}') || !cursor.done()) {
    fail(
        "{}: line {}: the list of values of attribute {} does not end with '}}'; put it at the end of the "
        "line",
        source.name(), source.line(), cited(column.name));
  }
}

ColumnHead read_attribute(ArffCursor& cursor, const TextSource& source) {
  ColumnHead column;
  column.name = to_utf8(cursor.word(" \t"));
  if (column.name.empty()) fail("{}: line {}: the attribute has no name", source.name(), source.line());
  column.declared = ColumnKind::text;
  if (cursor.take('{')) {
    read_values(cursor, column, source);
    return column;
  }
  const std::string type = lowercase(cursor.word(" \t"));
  if (type == "numeric" || type == "real" || type == "integer") {
    column.declared = ColumnKind::number;
  } else if (type == "date") {
    fail(
        "{}: line {}: attribute {} is a date, which cannot be read; make it a number, such as days, or a "
        "string",
        source.name(), source.line(), cited(column.name));
  } else if (type != "string") {
    fail(
        "{}: line {}: attribute {} has the unknown type {}; use numeric, string or a list of values {{a, b}}",
        source.name(), source.line(), cited(column.name), cited(type));
  }
  return column;
}

/// Reads up to and with @data.
std::vector<ColumnHead> read_header(TextSource& source, std::size_t most_columns) {
  std::vector<ColumnHead> columns;
  std::unordered_set<std::string> names;
  while (next_statement(source)) {
    ArffCursor cursor(source.text(), source.name(), source.line());
    const std::string keyword = lowercase(cursor.word(" \t"));
    if (keyword == "@data") return columns;
    if (keyword == "@attribute") {
      columns.push_back(read_attribute(cursor, source));
      if (!names.insert(columns.back().name).second) {
        fail("{}: line {}: there is an attribute {} already; rename one of them", source.name(),
             source.line(), cited(columns.back().name));
      }
      if (columns.size() > most_columns) {
        fail("{}: line {}: there are more than {} attributes, the most a table can have", source.name(),
             source.line(), most_columns);
      }
    } else if (keyword != "@relation") {
      fail("{}: line {}: {} stands where @relation, @attribute or @data is expected", source.name(),
           source.line(), cited(keyword));
    }
  }
  fail("{}: line {}: the file ends without @data; put @data and the rows after the attributes", source.name(),
       source.line());
}

class ArffReader : public RecordReader {
 public:
  ArffReader(ByteStream& stream, const TableBytes& bytes)
      : source_(stream, bytes), most_columns_(bytes.limits.columns) {
    columns_ = read_header(source_, most_columns_);
    width_ = columns_.size();
    if (width_ == 0) fail_file("{}: there is no @attribute before @data", source_.name());
  }

  std::vector<ColumnHead> take_columns() { return std::move(columns_); }

  bool next(Record& record) override {
    if (!next_statement(source_)) return false;
    record.line = source_.line();
    record.cells.clear();
    record.columns.clear();
    ArffCursor cursor(source_.text(), source_.name(), record.line);
    record.sparse = cursor.take('{');
    if (record.sparse) {
      if (!cursor.take('}')) read_sparse(cursor, record);
      if (!cursor.done()) refuse(cursor.rest(), "stands after the end '}' of a sparse row; remove it");
    } else {
      do {
        record.cells.push_back(cursor.word(","));
      } while (record.cells.size() <= most_columns_ && cursor.take(','));
      require_width(
          source_.name(), record, width_,
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
           source_.name(), source_.line());
    }
    refuse(cursor.rest(), "stands where a sparse row must end; put '}' there");
  }

  [[noreturn]] void refuse(std::string_view what, std::string_view why) const {
    fail("{}: line {}: {} {}", source_.name(), source_.line(), cited(what), why);
  }

  TextSource source_;
  std::size_t most_columns_;
  std::vector<ColumnHead> columns_;
  std::size_t width_;
};

}  // namespace

OpenRecords open_arff(ByteStream& stream, const TableBytes& bytes) {
  auto reader = std::make_unique<ArffReader>(stream, bytes);
  OpenRecords records;
  records.info.description = "arff";
  records.columns = reader->take_columns();
  const auto named_class = std::ranges::find_if(
      records.columns, [](const ColumnHead& column) { return lowercase(column.name) == "class"; });
  records.info.target = (named_class == records.columns.end() ? records.columns.back() : *named_class).name;
  records.rows = std::move(reader);
  return records;
}

}  // namespace coppice
