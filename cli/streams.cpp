#include "cli/streams.h"

#include "cli/terminal/styled.h"

#include <cerrno>
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

void put_error(std::string_view text) noexcept {
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

}  // namespace coppice::cli
