#pragma once

#include "coppice/data/reader.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

/// Streams the lines of a text through one buffer. The current line may be edited in
/// place; it is valid until the next call, or until release() if lines are kept.
class TextSource {
 public:
  /// `bytes` tells name and limits.
  TextSource(ByteStream& stream, const TableBytes& bytes);

  /// Moves on to the next line; false at the end of the file.
  bool next();
  /// Lengthens the current line by the line after it (and the line end between them), for records that go
  /// over several lines; false if there is none or the record would be too long.
  bool extend();

  /// From now on lines stay valid until release(): a full buffer is put aside for another one.
  void keep() { keeps_ = true; }
  /// Whether a buffer was put aside since the last release().
  bool full() const { return !aside_.empty(); }
  /// The lines before the current one are no longer needed.
  void release();

  /// For messages.
  const std::string& name() const { return name_; }
  /// The current line without its line end.
  std::span<char> text() { return {buffer_.data() + begin_, size_}; }
  std::string_view view() const { return {buffer_.data() + begin_, size_}; }
  /// Number (from 1) of the first and of the last physical line of the current record.
  std::size_t line() const { return line_; }
  std::size_t last_line() const { return last_line_; }

 private:
  bool find_end(std::size_t from);
  bool fill();
  void make_room(std::size_t kept);
  void refuse_binary(std::size_t first) const;
  void count_blank_lines();

  ByteStream& stream_;
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
  bool keeps_ = false;
  std::vector<std::vector<char>> aside_;  ///< buffers with lines that are still needed
  std::vector<std::vector<char>> spare_;  ///< buffers to be used again
};

}  // namespace coppice
