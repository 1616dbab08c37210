#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/core/system_reason.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace coppice {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t random_digits = 16;
constexpr std::string_view beside_ending = ".tmp";

void write_all(const Descriptor& file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_file("cannot write {}: {}", path, system_reason());
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

/// Pipes, terminals and devices are written into, never replaced.
void write_into(const std::string& path, const Content& content) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file) fail_file("cannot open {}: {}; choose another file", path, system_reason());
  content([&](std::string_view piece) { write_all(file, piece, path); });
}

/// The file itself where the path is a link, so that the link stays one.
std::string behind_links(const std::string& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  const fs::path file = fs::weakly_canonical(path, error);
  return error ? path : file.string();
}

/// So that new names in a folder are there after a loss of power, too; false, and errno, if that failed. Some file systems
/// know no such thing.
bool flush_names(const fs::path& folder) {
  const Descriptor directory(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory) return true;  // may be written to, not read
  return ::fsync(directory.get()) == 0 || errno == EINVAL || errno == ENOTSUP;
}

/// A name beside the target that nobody can foresee; long names are cut, so that it fits wherever the target does.
std::string name_beside(const fs::path& target) {
  constexpr std::size_t longest_name = 255;
  constexpr std::size_t added = 1 + random_digits + beside_ending.size();
  std::uint64_t number = 0;
  if (::getentropy(&number, sizeof number) != 0) fail_file("cannot get random bytes: {}", system_reason());
  const std::string name = target.filename().string().substr(0, longest_name - added);
  return (target.parent_path() / fmt::format("{}.{:016x}{}", name, number, beside_ending)).string();
}

/// What is written under a name of its own before it takes the target's place; removed if it never does.
class FileBeside {
 public:
  FileBeside(std::string target, const std::string& shown) : target_(std::move(target)), shown_(shown) {
    path_ = name_beside(target_);
    // Never through a link or into a file that somebody put there.
    file_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (!file_) {
      fail_file("cannot create {}: {}; is its directory there, and may it be written to?", shown_,
                system_reason());
    }
  }
  ~FileBeside() {
    if (!placed_) ::unlink(path_.c_str());
  }
  FileBeside(const FileBeside&) = delete;
  FileBeside& operator=(const FileBeside&) = delete;

  void write(std::string_view bytes) const { write_all(file_, bytes, shown_); }

  void place() {
    if (::fsync(file_.get()) != 0) fail_file("cannot write {}: {}", shown_, system_reason());
    if (::rename(path_.c_str(), target_.c_str()) != 0)
      fail_file("cannot write {}: {}", shown_, system_reason());
    placed_ = true;
    if (!flush_names(fs::path(target_).parent_path()))
      fail_file("cannot write {}: {}", shown_, system_reason());
  }

 private:
  std::string target_;
  std::string shown_;
  std::string path_;
  Descriptor file_;
  bool placed_ = false;
};

}  // namespace

void write_file(const std::string& path, const Content& content) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) fail_file("cannot write {}: it is a directory; name a file", path);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    write_into(path, content);
    return;
  }
  FileBeside beside(behind_links(path), path);
  content([&](std::string_view piece) { beside.write(piece); });
  beside.place();
}

void write_file(const std::string& path, std::string_view bytes) {
  write_file(path, [&](const PutPiece& put) { put(bytes); });
}

void write_own_file(const std::string& path, std::string_view bytes) {
  FileBeside beside(path, path);
  beside.write(bytes);
  beside.place();
}

std::optional<std::string> target_of_leftover(std::string_view name) {
  if (!name.ends_with(beside_ending)) return std::nullopt;
  name.remove_suffix(beside_ending.size());
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || name.size() - dot - 1 != random_digits) return std::nullopt;
  const bool digits = name.find_first_not_of("0123456789abcdef", dot + 1) == std::string_view::npos;
  return digits ? std::optional<std::string>(name.substr(0, dot)) : std::nullopt;
}

std::error_code make_directories(const std::string& directory) {
  std::error_code error;
  if (fs::is_directory(directory, error)) return {};
  const fs::path above = fs::path(directory).parent_path();
  if (!above.empty() && above != directory) {
    error = make_directories(above.string());
    if (error) return error;
  }
  if (!fs::create_directory(directory, error))
    return error == std::errc::file_exists ? std::make_error_code(std::errc::not_a_directory) : error;
  return flush_names(above) ? std::error_code() : std::error_code(errno, std::generic_category());
}

AppendedFile::AppendedFile(std::string path)
    : path_(std::move(path)),
      descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666)) {
  if (!descriptor_) fail_file("cannot write {}: {}", path_, system_reason());
}

void AppendedFile::append(std::string_view bytes) const {
  write_all(descriptor_, bytes, path_);
}

void AppendedFile::flush() const {
  if (::fsync(descriptor_.get()) != 0 || !flush_names(fs::path(path_).parent_path()))
    fail_file("cannot write {}: {}", path_, system_reason());
}

}  // namespace coppice
