#include "experiments/datasets.h"

#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/core/text.h"
#include "coppice/data/generate.h"
#include "coppice/data/split.h"
#include "coppice/run/source.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

namespace fs = std::filesystem;
using Generator = std::string (*)(std::size_t, std::uint64_t, std::size_t);

constexpr std::size_t mnist_train = 60'000;
constexpr std::size_t mnist_test = 10'000;

/// Entries side by side share their data.
std::mutex& data_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// Writes the file unless an earlier call has.
template <class Make>
std::string file_of(const Session& session, const std::string& name, const Make& make) {
  const std::scoped_lock lock(data_mutex());
  std::string path = session.work_path("data/" + name);
  if (!fs::exists(path)) {
    session.say(fmt::format("writing {}", path));
    write_file(path, make());
  }
  return path;
}

/// Generated rows; their number is part of the name, so that other counts make other files.
std::string generated(const Session& session, Generator generate, std::size_t rows, std::uint64_t seed,
                      const std::string& role, DataFiles& files) {
  const bool csv = files.name != "convex" && files.name != "rectangles";
  const std::string name = fmt::format("{}-{}-{}.{}", files.name, role, rows, csv ? "csv" : "amat");
  files.made_by.push_back(
      fmt::format("coppice generate {} --rows {} --seed {} -o {}", files.name, rows, seed, name));
  return file_of(session, name, [&] { return generate(rows, seed, 0); });
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
  DataFiles files{.name = kind};
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
  files.train = generated(session, generate, rows, 1, "train", files);
  files.test = generated(session, generate, test_rows, 2, "test", files);
  files.origin = fmt::format("{}: generated, {} rows and {} to test on", kind, rows, test_rows);
  return files;
}

/// The first rows of MNIST's files in a folder of the same names.
std::string first_rows(const Session& session, const std::string& folder) {
  const std::size_t rows = session.counts.mnist_rows;
  const std::size_t test_rows = session.counts.mnist_test;
  const std::string name = fmt::format("mnist-{}-{}", rows, test_rows);
  const auto copy = [&](const std::string& from, const std::string& to, std::size_t count) {
    file_of(session, fmt::format("{}/{}", name, to), [&] { return first_items(from, count); });
  };
  const Source train = find_source(folder);
  const Source test = find_source(folder, true);
  copy(train.path, "train-images-idx3-ubyte", rows);
  copy(train.labels, "train-labels-idx1-ubyte", rows);
  copy(test.path, "t10k-images-idx3-ubyte", test_rows);
  copy(test.labels, "t10k-labels-idx1-ubyte", test_rows);
  return session.work_path("data/" + name);
}

/// Appends so many bytes of the file, or as many as there are.
std::size_t append(std::string& bytes, InputFile& file, std::size_t count) {
  const std::size_t before = bytes.size();
  bytes.resize(before + count);
  const std::size_t got = file.read(bytes.data() + before, count);
  bytes.resize(before + got);
  return got;
}

/// A file's bytes, unpacked if it is packed.
std::string unpacked(const std::string& path) {
  constexpr std::size_t portion = 1 << 20;
  InputFile file(path);
  std::string bytes;
  while (append(bytes, file, portion) == portion) {
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
          .origin = "poker: poker.csv of the data folder, split once at random"};
}

}  // namespace

Flags DataFiles::flags() const {
  Flags all;
  if (!validation.empty()) all.emplace_back("validation", validation);
  if (!test.empty()) all.emplace_back("test", test);
  return all;
}

bool DataFiles::validation_is_file() const {
  return !validation.empty() && !parse_number(validation);
}

DataPaths DataFiles::paths() const {
  return {.data = train, .validation = validation_is_file() ? validation : "", .test = test};
}

DataFiles find_mnist(const Session& session) {
  const std::string data = session.data.empty() ? "DIR" : session.data;
  const std::string folder = (fs::path(data) / "mnist").string();
  if (session.data.empty() || !fs::is_directory(folder))
    throw MissingData(fmt::format(
        "MNIST is needed: put its four original files (train-images-idx3-ubyte.gz and so on) into {} and "
        "give --data {} or set COPPICE_DATA",
        folder, data));
  const Counts& counts = session.counts;
  if (counts.mnist_rows >= mnist_train && counts.mnist_test >= mnist_test)
    return {.name = "mnist", .train = folder, .origin = "mnist: the four original files"};
  return {.name = "mnist",
          .train = first_rows(session, folder),
          .origin = fmt::format("mnist: the first {} and {} rows of the original files", counts.mnist_rows,
                                counts.mnist_test)};
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
  const Counts& counts = session.counts;
  DataFiles files{.name = "poker", .stand_in = true};
  files.train = generated(session, generate_poker, counts.poker_rows, 1, "train", files);
  files.validation = generated(session, generate_poker, counts.poker_validation, 2, "validation", files);
  files.test = generated(session, generate_poker, counts.poker_test, 3, "test", files);
  files.origin = fmt::format("poker: generated, {} rows to train, {} to validate, {} to test",
                             counts.poker_rows, counts.poker_validation, counts.poker_test);
  return files;
}

DataFiles find_generated(const Session& session, const std::string& kind) {
  static const std::map<std::string, Generator> generators{
      {"twonorm", generate_twonorm}, {"ringnorm", generate_ringnorm}, {"waveform", generate_waveform},
      {"xor", generate_xor},         {"spirals", generate_spirals},   {"parity", generate_parity}};
  const Counts& counts = session.counts;
  DataFiles files{.name = kind};
  files.train = generated(session, generators.at(kind), counts.table_rows, 1, "train", files);
  files.test = generated(session, generators.at(kind), counts.table_test, 2, "test", files);
  files.origin =
      fmt::format("{}: generated, {} rows and {} to test on", kind, counts.table_rows, counts.table_test);
  return files;
}

std::string first_items(const std::string& path, std::size_t count) {
  InputFile file(path);
  std::string bytes;
  const auto take = [&](std::size_t wanted) {
    if (append(bytes, file, wanted) != wanted) fail("{}: ends too early; fetch it again", path);
  };
  // Numbers of idx headers: 4 bytes, the most significant first.
  const auto number_at = [&](std::size_t at) {
    std::size_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8U | static_cast<std::uint8_t>(bytes[at + i]);
    return value;
  };
  take(4);
  const auto dimensions = static_cast<std::size_t>(static_cast<std::uint8_t>(bytes[3]));
  if (bytes[0] != 0 || bytes[1] != 0 || bytes[2] != 8 || dimensions < 1 || dimensions > 3)
    fail("{}: is no idx file of bytes; MNIST's four original files are needed", path);
  take(4 * dimensions);
  const std::size_t items = std::min(count, number_at(4));
  std::size_t size = 1;
  for (std::size_t d = 1; d < dimensions; ++d) size *= number_at(4 + 4 * d);
  if (size == 0 || size > 1 << 20) fail("{}: has items of {} bytes; the file is damaged", path, size);
  for (std::size_t i = 0; i < 4; ++i) bytes[4 + i] = static_cast<char>(items >> (24 - 8 * i) & 0xFFU);
  take(items * size);
  return bytes;
}

}  // namespace coppice::experiments
