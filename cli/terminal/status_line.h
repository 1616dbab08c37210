#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace coppice::cli {

/// One line on standard error that tells how far something is: redrawn in its place on a terminal, a plain line now
/// and then elsewhere.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine() { end(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// Whether it is time for a new one.
  bool due() const;
  void show(std::string text);
  /// What is printed next begins on a new line.
  void end();

 private:
  bool terminal_;
  std::size_t width_ = 0;  ///< of what stands on the line
  std::chrono::steady_clock::time_point shown_{};
};

/// "[####............]".
std::string bar(double share);

/// "905k", "1.2M".
std::string rate_text(double rate);

}  // namespace coppice::cli
