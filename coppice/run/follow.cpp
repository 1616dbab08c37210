#include "coppice/run/follow.h"

#include <array>
#include <cstdio>
#include <memory>
#include <sys/stat.h>

namespace coppice {

bool FollowedFile::read(const std::function<void()>& restart,
                        const std::function<void(std::string_view)>& use) {
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path_.c_str(), "rb"));
  struct stat status {};
  if (!file || ::fstat(::fileno(file.get()), &status) != 0) return false;
  bool changed = false;
  if (file_ != status.st_ino || static_cast<std::size_t>(status.st_size) < read_) {
    changed = file_ != 0;
    if (changed) restart();
    file_ = status.st_ino;
    read_ = 0;
    rest_.clear();
  }
  if (::fseeko(file.get(), static_cast<off_t>(read_), SEEK_SET) != 0) return changed;
  std::array<char, 1U << 16U> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
    read_ += count;
    changed = true;
    std::string_view bytes(buffer.data(), count);
    for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
      rest_ += bytes.substr(0, end);
      use(rest_);
      rest_.clear();
      bytes.remove_prefix(end + 1);
    }
    rest_ += bytes;
  }
  return changed;
}

}  // namespace coppice
