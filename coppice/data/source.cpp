#include "coppice/core/error.h"
#include "coppice/core/file.h"
#include "coppice/core/text.h"
#include "coppice/data/cell.h"
#include "coppice/data/reader.h"
#include "coppice/data/records.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <span>
#include <string_view>

namespace coppice {

namespace {

namespace fs = std::filesystem;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

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
  return {Format::idx, find_mnist(directory, fmt::format("{}-images", part), 3),
          find_mnist(directory, fmt::format("{}-labels", part), 1)};
}

Source require_pair(const std::string& directory, std::string_view part) {
  Source pair = find_pair(directory, part);
  if (pair.path.empty() || pair.labels.empty()) {
    fail(
        "{}: is a directory without {}; looked for {}-images-idx3-ubyte and {}-labels-idx1-ubyte, plain or "
        ".gz; put them there or name a data file",
        directory, pair.path.empty() ? "MNIST images" : "the labels of its images", part, part);
  }
  return pair;
}

/// "x-images-idx3-ubyte.gz" -> "x-labels-idx1-ubyte" with or without .gz, beside it, if it is there.
std::string find_labels(const std::string& images) {
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

/// The beginning of a file, unpacked.
std::string read_head(const std::string& path) {
  std::string head(std::size_t{1} << 16, '\0');
  InputFile file(path);
  head.resize(file.read(head.data(), head.size()));
  return head;
}

bool is_idx(std::string_view head) {
  constexpr std::string_view types = "\x08\x09\x0B\x0C\x0D\x0E";
  return head.size() >= 4 && head[0] == '\0' && head[1] == '\0' &&
         types.find(head[2]) != std::string_view::npos && head[3] > 0;
}

bool is_pair(std::string_view word) {
  const std::size_t colon = word.find(':');
  return colon != std::string_view::npos && colon > 0 &&
         std::ranges::all_of(word.substr(0, colon), [](char c) { return c >= '0' && c <= '9'; }) &&
         parse_cell(word.substr(colon + 1)).kind == CellKind::number;
}

/// A label and pairs in every line, at least one pair in all.
bool is_libsvm(std::span<const std::string_view> lines) {
  std::size_t pairs = 0;
  std::vector<std::string_view> words;
  for (const auto line : lines) {
    split_blanks(line.substr(0, line.find('#')), words);
    if (words.empty()) continue;
    if (!std::all_of(words.begin() + 1, words.end(), is_pair)) return false;
    pairs += words.size() - 1;
  }
  return pairs > 0;
}

/// Tells arff and libsvm by what the first lines look like; everything else is delimited text.
Format format_of_content(std::string_view head) {
  constexpr std::size_t most_lines = 20;
  std::vector<std::string_view> lines;
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  while (!head.empty() && lines.size() < most_lines) {
    const std::size_t end = head.find('\n');
    // The last line may be cut off by the end of the head.
    if (end == std::string_view::npos && !lines.empty()) break;
    const auto line = trim(head.substr(0, end));
    if (!line.empty() && line[0] != '%') lines.push_back(line);
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
  }
  if (lines.empty()) return Format::csv;
  const std::string first = lower(std::string(lines[0].substr(0, 10)));
  if (first.starts_with("@relation") || first.starts_with("@attribute")) return Format::arff;
  return is_libsvm(lines) ? Format::libsvm : Format::csv;
}

Format format_of(const std::string& path, std::string_view head) {
  fs::path name(lower(fs::path(path).filename().string()));
  if (name.extension() == ".gz") name.replace_extension();
  const std::string extension = name.extension().string();
  if (extension == ".csv" || extension == ".tsv") return Format::csv;
  if (extension == ".arff") return Format::arff;
  if (extension == ".amat") return Format::amat;
  if (extension == ".libsvm" || extension == ".svm" || extension == ".svmlight") return Format::libsvm;
  return format_of_content(head);
}

}  // namespace

Source find_source(const std::string& path, bool test_part) {
  if (is_directory(path)) return require_pair(path, test_part ? "t10k" : "train");
  require_file(path, "data");
  if (!is_file(path)) {
    fail("{}: is a pipe or device, but data is read twice; save it to a file first", path);
  }
  const std::string head = read_head(path);
  if (is_idx(head)) return {Format::idx, path, find_labels(path)};
  return {format_of(path, head), path, {}};
}

std::optional<Source> test_part_of(const std::string& path) {
  if (!is_directory(path) || find_pair(path, "train").path.empty()) return std::nullopt;
  Source pair = find_pair(path, "t10k");
  if (pair.path.empty() || pair.labels.empty()) return std::nullopt;
  return pair;
}

}  // namespace coppice
