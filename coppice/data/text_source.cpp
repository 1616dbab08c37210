#include "coppice/data/text_source.h"

#include "coppice/core/fail.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace coppice {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
// A small file needs a small buffer, and a csv file needs seven, to find its delimiter.
constexpr std::size_t first_size = std::size_t{1} << 14U;
constexpr std::size_t usual_size = std::size_t{1} << 18U;

bool consists_of(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == std::string_view::npos;
}

/// Behind the line of that number, from 1; 0: there are not so many.
std::size_t end_of_line(std::string_view text, std::size_t lines) {
  std::size_t end = 0;
  for (; lines > 0; --lines) {
    end = text.find('\n', end) + 1;
    if (end == 0) return 0;
  }
  return end;
}

}  // namespace

TextSource::TextSource(ByteStream& stream, const TableBytes& bytes)
    : stream_(&stream),
      name_(bytes.name),
      longest_(bytes.limits.line),
      most_blank_lines_(bytes.limits.blank_lines),
      buffer_(first_size) {
  fill();
  if (std::string_view(buffer_.data(), filled_).starts_with(byte_order_mark)) next_ = byte_order_mark.size();
}

TextSource::TextSource(TextBlock& block, const TableBytes& bytes)
    : stream_(nullptr),
      name_(bytes.name),
      longest_(bytes.limits.line),
      most_blank_lines_(bytes.limits.blank_lines),
      buffer_(std::move(block.bytes)),
      next_(block.begin),
      filled_(block.end),
      last_line_(block.line - 1),
      ended_(true) {}

bool TextSource::next() {
  begin_ = next_;
  if (!find_end(0)) {
    if (too_long_) fail_too_long();
    return false;
  }
  line_ = ++last_line_;
  count_blank_lines(consists_of(view(), " \t"), 1);
  return true;
}

void TextSource::fail_too_long() const {
  fail_file("{}: line {}: the line is longer than {} MiB; is this a text file with line ends?", name_,
            last_line_ + 1, longest_ >> 20U);
}

void TextSource::count_blank_lines(bool blank, std::size_t lines) {
  blank_lines_ = blank ? blank_lines_ + lines : 0;
  if (blank_lines_ <= most_blank_lines_) return;
  fail_blank_lines(name_, line_ - (blank_lines_ - most_blank_lines_ - 1), most_blank_lines_);
}

bool TextSource::take(TextBlock& block, const BlockSize& size, char delimiter) {
  begin_ = next_;
  if (!ended_ && buffer_.size() < size.bytes) {
    // A small file has been read by now, or nearly: it needs no larger buffers.
    if (filled_ < buffer_.size() && filled_ - begin_ <= longest_) fill();
    if (!ended_ && buffer_.size() < size.bytes) buffer_.resize(size.bytes);
  }
  std::size_t count = 0;
  bool quotes = false;
  do {
    begin_ = next_;
    count = whole_records(size, delimiter, quotes);
  } while (count == 0 && fill());
  const std::string_view left(buffer_.data() + next_, filled_ - next_);
  if (count == 0) {
    if (left.empty()) return false;
    // The last line has no end, or a quote is never closed: whoever cuts the block will say so.
    if (too_long_ && left.find('\n') == std::string_view::npos) fail_too_long();
    count = left.size();
    if (left.back() != '\n') {
      if (filled_ == buffer_.size()) buffer_.push_back('\n');
      buffer_[filled_++] = '\n';
      ++count;
    }
  }
  const std::string_view text(buffer_.data() + next_, count);
  const std::size_t rest = filled_ - next_ - count;
  block.bytes.resize(buffer_.size());
  std::memcpy(block.bytes.data(), text.data() + count, rest);
  std::swap(block.bytes, buffer_);
  block.begin = next_;
  block.end = next_ + count;
  block.line = last_line_ + 1;
  block.lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  block.has_quotes = quotes;
  line_ = last_line_ += block.lines;
  begin_ = next_ = size_ = 0;
  filled_ = rest;
  // Who cuts the block counts the blank lines in it; those at its end may go on in the next block.
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  count_blank_lines(last == std::string_view::npos, block.lines);
  if (last != std::string_view::npos)
    blank_lines_ = static_cast<std::size_t>(std::ranges::count(text.substr(last), '\n')) - 1;
  return true;
}

/// What of the buffer, from the current record on, makes a block; 0: more must be read first.
std::size_t TextSource::whole_records(const BlockSize& size, char delimiter, bool& quotes) const {
  const std::string_view text(buffer_.data() + begin_, filled_ - begin_);
  quotes = text.find('"') != std::string_view::npos;
  const bool full = filled_ == buffer_.size() || ended_;
  if (quotes) return full ? coppice::whole_records(text, delimiter, ended_) : 0;
  const std::size_t end = size.lines < text.size() ? end_of_line(text, size.lines) : 0;
  if (end > 0 || !full) return end;
  return text.rfind('\n') + 1;
}

bool TextSource::extend() {
  if (!find_end(next_ - begin_)) return false;
  ++last_line_;
  return true;
}

/// Finds the end of the line that starts `from` bytes after the beginning of the record.
bool TextSource::find_end(std::size_t from) {
  const std::size_t start = from;
  while (true) {
    const char* first = buffer_.data() + begin_ + from;
    const std::size_t left = filled_ - begin_ - from;
    if (const void* end = left == 0 ? nullptr : std::memchr(first, '\n', left)) {
      size_ = static_cast<std::size_t>(static_cast<const char*>(end) - buffer_.data()) - begin_;
      next_ = begin_ + size_ + 1;
      break;
    }
    from = filled_ - begin_;
    if (fill()) continue;
    if (too_long_ || from == start) return false;
    size_ = from;
    next_ = filled_;
    break;
  }
  if (size_ > 0 && buffer_[begin_ + size_ - 1] == '\r') --size_;
  return true;
}

/// Reads on, keeping the current record; false at the end of the file or if the record is too long.
bool TextSource::fill() {
  if (ended_) return false;
  const std::size_t kept = filled_ - begin_;
  if (kept > longest_) {
    too_long_ = true;
    return false;
  }
  make_room(kept);
  const std::size_t count = stream_->read(buffer_.data() + filled_, buffer_.size() - filled_);
  filled_ += count;
  ended_ = count == 0;
  refuse_binary(kept);
  return !ended_;
}

/// Puts the current record, so many bytes, at the beginning of a buffer that can hold more.
void TextSource::make_room(std::size_t kept) {
  std::size_t size = buffer_.size();
  if (filled_ == size && size < usual_size) size = usual_size;
  if (kept > size / 2) size *= 2;
  std::memmove(buffer_.data(), buffer_.data() + begin_, kept);
  buffer_.resize(size);
  next_ -= begin_;
  begin_ = 0;
  filled_ = kept;
}

void TextSource::refuse_binary(std::size_t first) const {
  if (filled_ == first) return;
  const void* zero = std::memchr(buffer_.data() + first, '\0', filled_ - first);
  if (zero == nullptr) return;
  // Lines that begin at or after next_ have not been counted yet.
  const auto lines = std::count(buffer_.data() + next_, static_cast<const char*>(zero), '\n');
  fail_file("{}: line {}: there is a zero byte, so this is no text in UTF-8; save the file as text in UTF-8",
            name_, last_line_ + 1 + static_cast<std::size_t>(lines));
}

void fail_blank_lines(const std::string& name, std::size_t line, std::size_t most) {
  fail_file("{}: line {}: {} empty lines precede it; remove them if this is the right file", name, line,
            most);
}

std::size_t whole_records(std::string_view text, char delimiter, bool ended) {
  std::size_t end = 0;  // of the records so far
  std::size_t at = 0;   // in no quotes
  const auto is_gap = [&](char c) { return c == ' ' || (c == '\t' && delimiter != '\t'); };
  while (true) {
    const std::size_t quote = text.find('"', at);
    const std::size_t line_end = text.substr(0, quote).rfind('\n');
    if (line_end != std::string_view::npos && line_end >= at) end = line_end + 1;
    if (quote == std::string_view::npos) return end;
    // Only at the beginning of a cell a quote opens one.
    std::size_t before = quote;
    while (before > at && is_gap(text[before - 1])) --before;
    const bool first = before == end || text[before - 1] == delimiter || (delimiter == ' ' && before < quote);
    at = quote + 1;
    while (first) {
      at = text.find('"', at);
      if (at == std::string_view::npos || (at + 1 == text.size() && !ended)) return end;
      if (at + 1 == text.size() || text[at + 1] != '"') break;
      at += 2;
    }
    if (first) ++at;
  }
}

}  // namespace coppice
