#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace coppice {

/// Reads a text file that someone else is writing: the lines that came since the last look.
class FollowedFile {
 public:
  explicit FollowedFile(std::string path) : path_(std::move(path)) {}

  /// Calls `restart` if the file became another one or shorter (then it is read from its beginning), and
  /// `use` for each new line that is whole. A file that is not there has no lines. True if anything was new.
  bool read(const std::function<void()>& restart, const std::function<void(std::string_view)>& use);

 private:
  std::string path_;
  std::uint64_t file_ = 0;  ///< which one it is, to its file system
  std::size_t read_ = 0;    ///< bytes
  std::string rest_;        ///< of a line whose end was not yet there
};

}  // namespace coppice
