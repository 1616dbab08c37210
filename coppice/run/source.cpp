#include "coppice/run/source.h"

#include "coppice/core/fail.h"
#include "coppice/core/file.h"

#include <filesystem>
#include <string_view>

namespace coppice {

namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_directory(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// An MNIST file under any of its usual names: "train-images", 3 -> train-images-idx3-ubyte[.gz] or
/// train-images.idx3-ubyte[.gz].
std::string find_mnist(const std::string& directory, std::string_view part, int rank) {
  for (const char joint : {'-', '.'}) {
    for (const std::string_view packed : {"", ".gz"}) {
      const fs::path path = fs::path(directory) / fmt::format("{}{}idx{}-ubyte{}", part, joint, rank, packed);
      if (is_file(path)) return path.string();
    }
  }
  return {};
}

Source find_pair(const std::string& directory, std::string_view part) {
  return {find_mnist(directory, fmt::format("{}-images", part), 3),
          find_mnist(directory, fmt::format("{}-labels", part), 1)};
}

}  // namespace

Source find_source(const std::string& path, bool test_part) {
  if (!is_directory(path)) {
    require_file(path, "data");
    if (!is_file(path))
      fail_file("{}: is a pipe or device, but data must lie in a file; save it to one first", path);
    return {path, {}};
  }
  const std::string_view part = test_part ? "t10k" : "train";
  Source pair = find_pair(path, part);
  if (pair.path.empty() || pair.labels.empty()) {
    fail_file(
        "{}: is a directory without {}; looked for {}-images-idx3-ubyte and {}-labels-idx1-ubyte, plain or "
        ".gz; put them there or name a data file",
        path, pair.path.empty() ? "MNIST images" : "the labels of its images", part, part);
  }
  return pair;
}

std::string labels_beside(const std::string& images) {
  const fs::path path(images);
  std::string name = path.filename().string();
  const std::size_t at = name.rfind("images");
  if (at == std::string::npos) return {};
  name.replace(at, 6, "labels");
  const std::size_t rank = name.find("idx", at);
  if (rank != std::string::npos && rank + 3 < name.size()) name[rank + 3] = '1';
  const bool packed = name.ends_with(".gz");
  const std::string other = packed ? name.substr(0, name.size() - 3) : name + ".gz";
  for (const auto& candidate : {name, other}) {
    if (is_file(path.parent_path() / candidate)) return (path.parent_path() / candidate).string();
  }
  return {};
}

std::optional<Source> test_part_of(const std::string& path) {
  if (!is_directory(path) || find_pair(path, "train").path.empty()) return std::nullopt;
  Source pair = find_pair(path, "t10k");
  if (pair.path.empty() || pair.labels.empty()) return std::nullopt;
  return pair;
}

}  // namespace coppice
