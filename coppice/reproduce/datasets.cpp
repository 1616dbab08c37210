#include "coppice/reproduce/datasets.h"

#include "coppice/core/file.h"
#include "coppice/data/generate.h"
#include "coppice/data/reader.h"
#include "coppice/data/split.h"
#include "coppice/reproduce/idx_part.h"

#include <filesystem>
#include <numeric>
#include <optional>
#include <string_view>

namespace coppice::reproduce {

namespace {

namespace fs = std::filesystem;
using Generator = std::string (*)(std::size_t, std::uint64_t);

constexpr std::size_t mnist_train = 60'000;
constexpr std::size_t mnist_test = 10'000;

/// Writes the file unless an earlier call has.
template <class Make>
std::string file_of(const Session& session, const std::string& name, const Make& make) {
  const std::string path = session.work_path("data/" + name);
  if (!fs::exists(path)) {
    session.say(fmt::format("writing {}", path));
    write_file(path, make());
  }
  return path;
}

/// Generated rows; their number is part of the name, so that other counts make other files.
std::string generated(const Session& session, const std::string& kind, Generator generate, std::size_t rows,
                      std::uint64_t seed, const std::string& role, DataFiles& files) {
  const std::string name = fmt::format("{}-{}-{}.{}", kind, role, rows, kind == "poker" ? "csv" : "amat");
  files.made_by.push_back(
      fmt::format("coppice generate {} --rows {} --seed {} -o {}", kind, rows, seed, name));
  return file_of(session, name, [&] { return generate(rows, seed); });
}

/// A file of the user's data folder, packed or not; some archives have the test rows in a folder 50k.
std::optional<std::string> published(const Session& session, const std::string& name) {
  if (session.data.empty()) return std::nullopt;
  for (const fs::path& folder : {fs::path(session.data), fs::path(session.data) / "50k"}) {
    for (const char* ending : {"", ".gz"}) {
      const fs::path path = folder / (name + ending);
      if (fs::exists(path)) return path.string();
    }
  }
  return std::nullopt;
}

DataFiles images(const Session& session, const std::string& kind, const std::string& original,
                 Generator generate, std::size_t rows, std::size_t test_rows) {
  DataFiles files{.name = kind, .train = {}, .validation = {}, .test = {}, .origin = {}, .made_by = {}};
  const auto train = published(session, original + "_train.amat");
  const auto test = published(session, original + "_test.amat");
  if (train && test) {
    files.train = *train;
    files.test = *test;
    files.origin =
        fmt::format("{}: the published files {}_train.amat and {}_test.amat", kind, original, original);
    return files;
  }
  if (train || test)
    fail("--data {}: has {}_{}.amat, but not {}_{}.amat; put both there or none", session.data, original,
         train ? "train" : "test", original, train ? "test" : "train");
  files.stand_in = true;
  files.train = generated(session, kind, generate, rows, 1, "train", files);
  files.test = generated(session, kind, generate, test_rows, 2, "test", files);
  files.origin = fmt::format("{}: generated, {} rows and {} to test on", kind, rows, test_rows);
  return files;
}

/// The first rows of MNIST's files in a folder of the same names.
std::string first_rows(const Session& session, const std::string& folder) {
  const std::size_t rows = session.counts.mnist_rows;
  const std::size_t test_rows = session.counts.mnist_test;
  const std::string name = fmt::format("mnist-{}-{}", rows, test_rows);
  const auto copy = [&](const std::string& from, const std::string& to, std::size_t count) {
    const std::string target = fmt::format("{}/{}", name, to);
    fs::create_directories(fs::path(session.work_path("data/" + target)).parent_path());
    file_of(session, target, [&] { return first_items(from, count); });
  };
  const Source train = find_source(folder);
  const Source test = find_source(folder, true);
  copy(train.path, "train-images-idx3-ubyte", rows);
  copy(train.labels, "train-labels-idx1-ubyte", rows);
  copy(test.path, "t10k-images-idx3-ubyte", test_rows);
  copy(test.labels, "t10k-labels-idx1-ubyte", test_rows);
  return session.work_path("data/" + name);
}

/// A file's bytes, unpacked if it is packed.
std::string unpacked(const std::string& path) {
  constexpr std::size_t portion = 1 << 20;
  InputFile file(path);
  std::string bytes;
  std::size_t got = portion;
  while (got == portion) {
    const std::size_t before = bytes.size();
    bytes.resize(before + portion);
    got = file.read(bytes.data() + before, portion);
    bytes.resize(before + got);
  }
  return bytes;
}

/// Lines of a text file without their ends, empty ones left out.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) lines.push_back(line);
    at = end + 1;
  }
  return lines;
}

/// One split for all training runs, as in the paper.
DataFiles split_poker(const Session& session, const std::string& path) {
  const Counts& counts = session.counts;
  const std::string text = unpacked(path);
  const std::vector<std::string_view> lines = lines_of(text);
  const std::size_t wanted = counts.poker_rows + counts.poker_validation + counts.poker_test;
  if (lines.size() < wanted + 1)
    fail(
        "{}: has {} rows below its header, {} are needed; give the whole set, or fewer with --set "
        "poker-rows=N",
        path, lines.empty() ? 0 : lines.size() - 1, wanted);
  std::vector<std::uint32_t> rows(wanted);
  std::iota(rows.begin(), rows.end(), 1U);
  const auto share = [](std::size_t part, std::size_t all) {
    return static_cast<double>(part) / static_cast<double>(all);
  };
  const Split test = split_rows(rows, {}, share(counts.poker_test, wanted), 0, 0);
  const Split split = split_rows(test.kept, {}, share(counts.poker_validation, test.kept.size()), 0, 1);
  const auto part = [&](const std::vector<std::uint32_t>& some, const char* role) {
    // All three counts: of another split a file of the same size may hold rows that are to test on here.
    const std::string name = fmt::format("poker-own-{}-{}-{}-{}.csv", role, counts.poker_rows,
                                         counts.poker_validation, counts.poker_test);
    return file_of(session, name, [&] {
      std::string csv(lines.front());
      csv += '\n';
      for (const std::uint32_t row : some) csv.append(lines[row]) += '\n';
      return csv;
    });
  };
  return {.name = "poker",
          .train = part(split.kept, "train"),
          .validation = part(split.held_out, "validation"),
          .test = part(test.held_out, "test"),
          .origin = "poker: poker.csv of the data folder, split once at random",
          .made_by = {}};
}

}  // namespace

Flags DataFiles::flags() const {
  Flags all;
  if (!validation.empty()) all.emplace_back("validation", validation);
  if (!test.empty()) all.emplace_back("test", test);
  return all;
}

DataFiles find_mnist(const Session& session) {
  std::vector<std::string> places;
  if (!session.data.empty()) places.push_back((fs::path(session.data) / "mnist").string());
  if (const char* named = std::getenv("COPPICE_MNIST")) places.emplace_back(named);
  places.emplace_back("../shared/data/mnist");
  for (const std::string& place : places) {
    if (!fs::is_directory(place)) continue;
    const bool all = session.counts.mnist_rows >= mnist_train && session.counts.mnist_test >= mnist_test;
    return {.name = "mnist",
            .train = all ? place : first_rows(session, place),
            .validation = {},
            .test = {},
            .origin = all ? "mnist: the four original files"
                          : fmt::format("mnist: the first {} and {} rows of the original files",
                                        session.counts.mnist_rows, session.counts.mnist_test),
            .made_by = {}};
  }
  throw MissingData(fmt::format(
      "MNIST is needed: put its four original files (train-images-idx3-ubyte.gz and so on) into {} and give "
      "--data {}",
      session.data.empty() ? "DIR/mnist" : places.front(), session.data.empty() ? "DIR" : session.data));
}

DataFiles find_convex(const Session& session) {
  DataFiles files = images(session, "convex", "convex", generate_convex, session.counts.convex_rows,
                           session.counts.convex_test);
  files.validation = "0.125";  // 7,000 to 1,000
  return files;
}

DataFiles find_rectangles(const Session& session) {
  return images(session, "rectangles", "rectangles_im", generate_rectangles, session.counts.rectangles_rows,
                session.counts.rectangles_test);
}

DataFiles find_poker(const Session& session) {
  if (const auto path = published(session, "poker.csv")) return split_poker(session, *path);
  DataFiles files{.name = "poker", .train = {}, .validation = {}, .test = {}, .origin = {}, .made_by = {}};
  const Counts& counts = session.counts;
  files.stand_in = true;
  files.train = generated(session, "poker", generate_poker, counts.poker_rows, 1, "train", files);
  files.validation =
      generated(session, "poker", generate_poker, counts.poker_validation, 2, "validation", files);
  files.test = generated(session, "poker", generate_poker, counts.poker_test, 3, "test", files);
  files.origin = fmt::format("poker: generated, {} rows to train, {} to validate, {} to test",
                             counts.poker_rows, counts.poker_validation, counts.poker_test);
  return files;
}

}  // namespace coppice::reproduce
