#include "coppice/data/arff_cursor.h"

#include "coppice/core/error.h"
#include "coppice/core/text.h"

namespace coppice {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

}  // namespace

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

}  // namespace coppice
