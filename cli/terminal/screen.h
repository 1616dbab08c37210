#pragma once

#include <cstddef>
#include <string>
#include <termios.h>

namespace coppice::cli {

struct TerminalSize {
  std::size_t width = 120;  ///< where there is no terminal
  std::size_t height = 0;
  bool operator==(const TerminalSize&) const = default;
};
/// Of the terminal on standard output.
TerminalSize terminal_size();

/// Whether standard output is a terminal that wants colours (NO_COLOR and TERM=dumb do not).
bool wants_colours();

/// The whole terminal for a picture that is drawn again and again; when it goes, the terminal is as before.
class FullScreen {
 public:
  FullScreen();
  ~FullScreen();
  FullScreen(const FullScreen&) = delete;
  FullScreen& operator=(const FullScreen&) = delete;

  /// Lines separated by newlines, in place of what was there.
  void draw(const std::string& text) const;
  /// The key pressed within so many milliseconds, or 0.
  char key(int milliseconds) const;

 private:
  bool keys_ = false;  ///< standard input is a terminal whose keys come at once
  termios before_{};
};

}  // namespace coppice::cli
