#pragma once

#include "coppice/data/text_source.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coppice {

/// Cuts delimited text into records of cells (RFC 4180: quotes, doubled quotes, line ends inside quotes);
/// blanks around cells and blank lines are dropped. The delimiter ' ' stands for runs of blanks and tabs.
class CsvSplitter {
 public:
  CsvSplitter(ByteStream& stream, const TableBytes& bytes, char delimiter)
      : source_(stream, bytes), delimiter_(delimiter), most_columns_(bytes.limits.columns) {}
  /// The records of a block, whose buffer it takes: their cells stay valid.
  CsvSplitter(TextBlock& block, const TableBytes& bytes, char delimiter)
      : source_(block, bytes), delimiter_(delimiter), most_columns_(bytes.limits.columns) {}
  std::vector<char> buffer() && { return std::move(source_).buffer(); }

  /// Replaces `cells` by those of the next record, which are valid until the next call; false at the end.
  bool next(std::vector<std::string_view>& cells);
  /// The records that follow, for others to cut.
  bool take(TextBlock& block, const BlockSize& size) { return source_.take(block, size, delimiter_); }
  /// The line where the record starts.
  std::size_t line() const { return source_.line(); }

 private:
  bool is_blank(char c) const { return c == ' ' || (c == '\t' && delimiter_ != '\t'); }
  bool blank_line() const;
  void split_quoted(std::vector<std::string_view>& cells);
  std::size_t take_cell(std::size_t at);
  std::size_t take_quoted_cell(std::size_t at);
  std::size_t skip_blanks(std::size_t at) const;
  void check_count(std::size_t count) const;

  TextSource source_;
  char delimiter_;
  std::size_t most_columns_;
  /// First byte and end of each cell, counted from the start of the record: the buffer may move while a
  /// record that goes over several lines is read.
  std::vector<std::pair<std::size_t, std::size_t>> ranges_;
};

/// The cells of a line without quotes, replacing `cells`; stops at one more than `most`.
void split_plain(std::string_view line, char delimiter, std::size_t most,
                 std::vector<std::string_view>& cells);

/// Fails because a line has more than `most` cells.
[[noreturn]] void fail_count(const std::string& name, std::size_t line, std::size_t most);

/// What the first lines of a delimited text file tell about it.
struct CsvShape {
  char delimiter = ',';
  bool header = true;
};

/// Finds delimiter and header from the first records. The delimiter is the one of , ; tab | that cuts them
/// into the same number of fields (the most, if several do); blanks are tried only if none of these does.
CsvShape find_shape(HeadStream& head, const TableBytes& bytes);

}  // namespace coppice
