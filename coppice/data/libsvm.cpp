#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/cell.h"
#include "coppice/data/records.h"
#include "coppice/data/text_source.h"

#include <charconv>

namespace coppice {

namespace {

/// Rows "label index:value ..."; column 0 is the label, column i the input of index i.
class LibsvmReader : public RecordReader {
 public:
  LibsvmReader(ByteStream& stream, const TableBytes& bytes)
      : source_(stream, bytes), most_columns_(bytes.limits.columns) {}

  bool next(Record& record) override {
    do {
      if (!source_.next()) return false;
      const auto line = source_.view();
      split_blanks(line.substr(0, line.find('#')), most_columns_, words_);
    } while (words_.empty());
    record.line = source_.line();
    record.sparse = true;
    record.cells.clear();
    record.columns.clear();
    if (words_[0].find(':') != std::string_view::npos) {
      fail("{}: line {}, column 1: the label is missing before {}; put one there (0 where it is unknown)",
           source_.name(), record.line, cited(words_[0]));
    }
    record.cells.push_back(words_[0]);
    record.columns.push_back(0);
    for (std::size_t i = 1; i < words_.size(); ++i) add_pair(words_[i], record);
    return true;
  }

 private:
  void add_pair(std::string_view pair, Record& record) {
    const std::size_t colon = pair.find(':');
    std::uint64_t index = 0;
    const char* const end = pair.data() + std::min(colon, pair.size());
    const auto [stop, code] = std::from_chars(pair.data(), end, index);
    const std::string_view value = colon == std::string_view::npos ? "" : pair.substr(colon + 1);
    if (stop != end || value.empty() || code == std::errc::invalid_argument ||
        parse_cell(value).kind == CellKind::text) {
      refuse(pair, "is no pair index:value of numbers; write it like 3:0.5");
    }
    if (code != std::errc{} || index >= most_columns_) {
      refuse(pair, fmt::format("has an index beyond {}, the most a table can have", most_columns_ - 1));
    }
    if (index == 0) refuse(pair, "has index 0, but indices start at 1; add 1 to every index");
    if (index <= record.columns.back()) {
      refuse(pair,
             fmt::format("comes after index {}; sort the indices of a line in ascending order, each once",
                         record.columns.back()));
    }
    record.cells.push_back(value);
    record.columns.push_back(static_cast<std::uint32_t>(index));
  }

  [[noreturn]] void refuse(std::string_view pair, std::string_view why) const {
    const auto column = static_cast<std::size_t>(pair.data() - source_.view().data()) + 1;
    fail("{}: line {}, character {}: {} {}", source_.name(), source_.line(), column, cited(pair), why);
  }

  TextSource source_;
  std::size_t most_columns_;
  std::vector<std::string_view> words_;
};

}  // namespace

OpenRecords open_libsvm(ByteStream& stream, const TableBytes& bytes) {
  OpenRecords records;
  records.info.description = "libsvm";
  records.info.target = "label";
  records.columns.push_back({.name = "label"});
  records.rows = std::make_unique<LibsvmReader>(stream, bytes);
  return records;
}

}  // namespace coppice
