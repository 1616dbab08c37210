#pragma once

#include "coppice/data/reader.h"
#include "coppice/data/text_block.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

/// Streams the lines of a text through one buffer. The current line may be edited in
/// place; it is valid until the next call.
class TextSource {
 public:
  /// `bytes` tells name and limits.
  TextSource(ByteStream& stream, const TableBytes& bytes);
  /// The lines of a block, whose buffer it takes: they stay where they are until buffer() gives it back.
  TextSource(TextBlock& block, const TableBytes& bytes);

  /// Moves on to the next line; false at the end of the file.
  bool next();
  /// Lengthens the current line by the line after it (and the line end between them), for records that go
  /// over several lines; false if there is none or the record would be too long.
  bool extend();
  /// Takes the records that follow, about so many, where that delimiter divides cells; false at the end of the file.
  bool take(TextBlock& block, const BlockSize& size, char delimiter);

  /// For messages.
  const std::string& name() const { return name_; }
  /// The current line without its line end.
  std::span<char> text() { return {buffer_.data() + begin_, size_}; }
  std::string_view view() const { return {buffer_.data() + begin_, size_}; }
  /// Number (from 1) of the first and of the last physical line of the current record.
  std::size_t line() const { return line_; }
  std::size_t last_line() const { return last_line_; }
  /// Of a block.
  std::vector<char> buffer() && { return std::move(buffer_); }

 private:
  bool find_end(std::size_t from);
  bool fill();
  void make_room(std::size_t kept);
  std::size_t whole_records(const BlockSize& size, char delimiter, bool& quotes) const;
  [[noreturn]] void fail_too_long() const;
  void refuse_binary(std::size_t first) const;
  void count_blank_lines(bool blank, std::size_t lines);

  ByteStream* stream_;
  std::string name_;
  std::size_t longest_;
  std::size_t most_blank_lines_;
  std::size_t blank_lines_ = 0;  ///< up to here
  std::vector<char> buffer_;
  std::size_t begin_ = 0;   ///< of the current record in the buffer
  std::size_t size_ = 0;    ///< of the current record without its line end
  std::size_t next_ = 0;    ///< where the next line starts in the buffer
  std::size_t filled_ = 0;  ///< bytes in the buffer
  std::size_t line_ = 0;
  std::size_t last_line_ = 0;
  bool ended_ = false;
  bool too_long_ = false;
};

/// Fails because more blank lines than a file may have come before that line.
[[noreturn]] void fail_blank_lines(const std::string& name, std::size_t line, std::size_t most);

/// How many bytes of a text are whole records: behind the last line end that stands in no quotes. `ended`: no more follow.
std::size_t whole_records(std::string_view text, char delimiter, bool ended);

}  // namespace coppice
