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

  /// Replaces `cells` by those of the next record, which are valid until the next call; false at the end.
  bool next(std::vector<std::string_view>& cells);
  /// As TextSource does: cells stay valid until release().
  void keep() { source_.keep(); }
  bool full() const { return source_.full(); }
  void release() { source_.release(); }
  /// The line where the record starts.
  std::size_t line() const { return source_.line(); }

 private:
  bool is_blank(char c) const { return c == ' ' || (c == '\t' && delimiter_ != '\t'); }
  bool blank_line() const;
  void split_plain(std::vector<std::string_view>& cells);
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

/// What the first lines of a delimited text file tell about it.
struct CsvShape {
  char delimiter = ',';
  bool header = true;
};

/// Finds delimiter and header from the first records. The delimiter is the one of , ; tab | that cuts them
/// into the same number of fields (the most, if several do); blanks are tried only if none of these does.
CsvShape find_shape(HeadStream& head, const TableBytes& bytes);

}  // namespace coppice
