#include "cli/terminal/screen.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace coppice::cli {

namespace {

/// At once and whole: a picture in two parts flickers.
void put(std::string_view bytes) {
  std::fwrite(bytes.data(), 1, bytes.size(), stdout);
  std::fflush(stdout);
}

}  // namespace

TerminalSize terminal_size() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {};
  return {.width = size.ws_col, .height = size.ws_row};
}

bool wants_colours() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  return isatty(STDOUT_FILENO) != 0 && kind != nullptr && std::strcmp(kind, "dumb") != 0;
}

FullScreen::FullScreen() {
  keys_ = isatty(STDIN_FILENO) != 0 && tcgetattr(STDIN_FILENO, &before_) == 0;
  if (keys_) {
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    raw.c_cc[VSUSP] = _POSIX_VDISABLE;  // a stopped program would leave the terminal as it is now
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  }
  put("\x1b[?1049h\x1b[?25l");
}

FullScreen::~FullScreen() {
  put("\x1b[?25h\x1b[?1049l");
  if (keys_) tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

void FullScreen::draw(const std::string& text) const {
  std::string bytes = "\x1b[?2026h\x1b[H";  // terminals that know it show all of this at once
  for (const char c : text) {
    if (c == '\n') bytes += "\x1b[K\r";
    bytes += c;
  }
  put(bytes + "\x1b[K\x1b[J\x1b[?2026l");
}

char FullScreen::key(int milliseconds) const {
  if (!keys_) {
    ::usleep(static_cast<useconds_t>(milliseconds) * 1000);
    return 0;
  }
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  if (::poll(&input, 1, milliseconds) <= 0) return 0;
  char pressed = 0;
  // Whoever hung up does not want to see more.
  return ::read(STDIN_FILENO, &pressed, 1) == 1 ? pressed : 'q';
}

}  // namespace coppice::cli
