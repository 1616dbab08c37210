#include "cli/terminal/status_line.h"

#include "cli/streams.h"

#include <algorithm>
#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

constexpr auto terminal_pause = std::chrono::milliseconds(100);
constexpr auto plain_pause = std::chrono::seconds(10);
constexpr std::size_t bar_width = 16;

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 100;
}

}  // namespace

StatusLine::StatusLine() : terminal_(isatty(STDERR_FILENO) != 0) {}

bool StatusLine::due() const {
  const auto passed = std::chrono::steady_clock::now() - shown_;
  return terminal_ ? passed >= terminal_pause : passed >= plain_pause;
}

void StatusLine::show(std::string text) {
  shown_ = std::chrono::steady_clock::now();
  if (!terminal_) {
    say_line(text);
    return;
  }
  text.resize(std::min(text.size(), terminal_width() - 1));
  const std::size_t width = text.size();
  text.resize(std::max(width, width_), ' ');
  width_ = width;
  put_error("\r" + text);
}

void StatusLine::end() {
  if (width_ > 0) put_error("\n");
  width_ = 0;
}

std::string bar(double share) {
  const auto full = static_cast<std::size_t>(share * bar_width);
  std::string text = "[";
  for (std::size_t i = 0; i < bar_width; ++i) text += i < full ? '#' : '.';
  return text + "]";
}

std::string rate_text(double rate) {
  return rate < 1e6 ? fmt::format("{:.0f}k", rate / 1e3) : fmt::format("{:.1f}M", rate / 1e6);
}

}  // namespace coppice::cli
