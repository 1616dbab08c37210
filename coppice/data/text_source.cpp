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

}  // namespace

TextSource::TextSource(ByteStream& stream, const TableBytes& bytes)
    : stream_(stream),
      name_(bytes.name),
      longest_(bytes.limits.line),
      most_blank_lines_(bytes.limits.blank_lines),
      buffer_(first_size) {
  fill();
  if (std::string_view(buffer_.data(), filled_).starts_with(byte_order_mark)) next_ = byte_order_mark.size();
}

bool TextSource::next() {
  begin_ = next_;
  if (!find_end(0)) {
    if (too_long_) {
      fail_file("{}: line {}: the line is longer than {} MiB; is this a text file with line ends?", name_,
                last_line_ + 1, longest_ >> 20U);
    }
    return false;
  }
  line_ = ++last_line_;
  count_blank_lines();
  return true;
}

void TextSource::count_blank_lines() {
  const bool blank = std::ranges::all_of(view(), [](char c) { return c == ' ' || c == '\t'; });
  blank_lines_ = blank ? blank_lines_ + 1 : 0;
  if (blank_lines_ <= most_blank_lines_) return;
  fail_file("{}: line {}: {} empty lines precede it; remove them if this is the right file", name_, line_,
            most_blank_lines_);
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
  const std::size_t count = stream_.read(buffer_.data() + filled_, buffer_.size() - filled_);
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
  if (keeps_) {
    std::vector<char> next;
    if (!spare_.empty()) {
      next = std::move(spare_.back());
      spare_.pop_back();
    }
    next.resize(std::max(next.size(), size));
    std::memcpy(next.data(), buffer_.data() + begin_, kept);
    aside_.push_back(std::exchange(buffer_, std::move(next)));
  } else {
    std::memmove(buffer_.data(), buffer_.data() + begin_, kept);
    buffer_.resize(size);
  }
  next_ -= begin_;
  begin_ = 0;
  filled_ = kept;
}

void TextSource::release() {
  // Two are enough, unless a record went over several.
  spare_.clear();
  if (!aside_.empty()) spare_.push_back(std::move(aside_.back()));
  aside_.clear();
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

}  // namespace coppice
