#include "coppice/ranks/data_files.h"

#include "coppice/core/fail.h"
#include "coppice/run/source.h"

#include <cstdlib>
#include <fstream>
#include <unistd.h>
#include <vector>

namespace coppice {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t part_size = std::size_t{4} << 20U;

/// A file, what lies beside it, or the files of a directory; returns the name that stands for all.
std::string add_source(std::vector<SentFile>& files, const std::string& path, const std::string& role) {
  const auto add = [&](const std::string& file) {
    if (file.empty()) return;
    files.push_back({.path = file, .name = role + "/" + fs::path(file).filename().string()});
  };
  const Source source = find_source(path);
  add(source.path);
  add(source.labels.empty() ? labels_beside(source.path) : source.labels);
  if (!fs::is_directory(path)) return role + "/" + fs::path(path).filename().string();
  if (const auto test = test_part_of(path)) {
    add(test->path);
    add(test->labels);
  }
  return role;
}

}  // namespace

std::vector<SentFile> files_to_send(RunOptions& options) {
  std::vector<SentFile> files;
  options.data = add_source(files, options.data, "data");
  if (!options.validation.empty()) options.validation = add_source(files, options.validation, "validation");
  if (!options.test.empty()) options.test = add_source(files, options.test, "test");
  if (!options.warm_start.empty()) {
    files.push_back({.path = options.warm_start, .name = "warm-start/model.coppice"});
    options.warm_start = files.back().name;
  }
  return files;
}

void send_files(Messenger& messenger, const std::vector<SentFile>& files, const std::function<bool()>& stop) {
  for (const SentFile& file : files) {
    std::ifstream from(file.path, std::ios::binary);
    if (!from) fail_file("{}: cannot be read; check the path", file.path);
    std::vector<char> buffer(part_size);
    while (from) {
      if (stop()) fail_as(ErrorKind::interrupted, "interrupted while data was sent");
      from.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
      if (from.gcount() == 0) break;
      const std::string bytes = file_bytes(
          {.name = file.name, .bytes = std::string(buffer.data(), static_cast<std::size_t>(from.gcount()))});
      for (std::size_t rank = 1; rank < messenger.size(); ++rank) messenger.send(rank, Subject::file, bytes);
      messenger.drain(stop);
    }
    if (from.bad()) fail_file("{}: cannot be read to its end; check the disk", file.path);
  }
}

Received::Received() {
  const char* named = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  const fs::path folder = named != nullptr && *named != '\0' ? named : "/tmp";
  std::string name = (folder / "coppice-rank-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    fail_file("{}: no directory can be created there; let TMPDIR name one that may be written to",
              folder.string());
  directory_ = name;
}

Received::~Received() {
  std::error_code ignored;
  fs::remove_all(directory_, ignored);
}

void Received::take(const FilePart& part) const {
  const fs::path path = directory_ / part.name;
  std::error_code ignored;  // then it cannot be written either
  fs::create_directories(path.parent_path(), ignored);
  std::ofstream to(path, std::ios::binary | std::ios::app);
  to.write(part.bytes.data(), static_cast<std::streamsize>(part.bytes.size()));
  to.close();
  if (!to)
    fail_file("{}: cannot be written; is the disk full? use --data-from shared, or set TMPDIR",
              path.string());
}

void Received::locate(RunOptions& options) const {
  for (std::string* name : {&options.data, &options.validation, &options.test, &options.warm_start}) {
    if (!name->empty()) *name = (directory_ / *name).string();
  }
}

}  // namespace coppice
