#include "cli/streams.h"

#include "cli/terminal/styled.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace coppice::cli {

void open_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free number is this one, since those below it are open.
    ::open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
  }
}

namespace {

std::atomic<bool> is_silent = false;

}  // namespace

void keep_silent(bool silent) {
  is_silent = silent;
}

void put_error(std::string_view text) noexcept {
  if (is_silent) return;
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void say_line(std::string_view text) {
  put_error(printable(text) + '\n');
}

void show_text(std::string_view text) {
  fmt::print("{}", printable_lines(text));
}

void show_json(std::string_view dumped) {
  std::string text;
  for (std::size_t i = 0; i < dumped.size(); ++i) {
    const auto byte = static_cast<unsigned char>(dumped[i]);
    const auto next = static_cast<unsigned char>(i + 1 < dumped.size() ? dumped[i + 1] : '\0');
    // JSON writes those below blank as \\u00XX itself, but not DEL nor C1, which is C2 80 to C2 9F.
    const bool c1 = byte == 0xC2 && next < 0xA0;
    if (c1) ++i;
    if (c1 || byte == 0x7F)
      text += fmt::format("\\u{:04x}", c1 ? next : byte);
    else
      text += dumped[i];
  }
  fmt::print("{}\n", text);
}

void show_bytes(std::string_view bytes) {
  const std::string shown = ::isatty(STDOUT_FILENO) == 1 ? printable_lines(bytes) : std::string();
  const std::string_view text = shown.empty() ? bytes : shown;
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace coppice::cli
