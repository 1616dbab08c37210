// fuzz_replay NAME FOLDER [MUTATIONS [SEED]]: gives every file of the folder to a parser, and as many random alterations of them.
// For compilers without libFuzzer; prints the number of runs.
#include "coppice/core/file.h"
#include "coppice/core/random.h"

#include "tests/fuzz/targets.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using coppice::Random;
using Target = void (*)(std::string_view);

constexpr std::array<std::pair<std::string_view, Target>, 13> targets{{
    {"csv", coppice::fuzz::csv},
    {"arff", coppice::fuzz::arff},
    {"libsvm", coppice::fuzz::libsvm},
    {"amat", coppice::fuzz::amat},
    {"idx", coppice::fuzz::idx},
    {"gzip", coppice::fuzz::gzip},
    {"model", coppice::fuzz::model},
    {"checkpoint", coppice::fuzz::checkpoint},
    {"journal", coppice::fuzz::journal},
    {"results", coppice::fuzz::results},
    {"summary", coppice::fuzz::summary},
    {"config", coppice::fuzz::config},
    {"search", coppice::fuzz::search},
}};

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().string());
  std::ranges::sort(names);
  std::vector<std::string> files;
  for (const std::string& name : names) files.push_back(coppice::read_file(name));
  return files;
}

/// One to four edits: a byte changed, some taken out, some of another file put in, the end cut off.
std::string altered(std::string bytes, const std::vector<std::string>& files, Random& random) {
  for (std::uint64_t edits = 1 + random.below(4); edits > 0; --edits) {
    const std::size_t at = random.below(bytes.size() + 1);
    const std::size_t count = 1 + random.below(8);
    const std::string& other = files[random.below(files.size())];
    switch (random.below(5)) {
      case 0:
        if (at < bytes.size()) bytes[at] = static_cast<char>(random.below(256));
        break;
      case 1:
        bytes.erase(at, count);
        break;
      case 2:
        if (!other.empty()) bytes.insert(at, other.substr(random.below(other.size()), count * 4));
        break;
      case 3:
        if (!other.empty()) bytes.replace(at, count, other.substr(random.below(other.size()), count));
        break;
      default:
        if (random.below(8) == 0) bytes.resize(at);
    }
  }
  return bytes;
}

}  // namespace

int main(int count, char** arguments) {
  const auto* target = count < 3
                           ? targets.end()
                           : std::ranges::find(targets, arguments[1], &decltype(targets)::value_type::first);
  if (target == targets.end()) {
    std::fprintf(stderr, "usage: fuzz_replay NAME FOLDER [MUTATIONS [SEED]]\n");
    return 2;
  }
  const std::vector<std::string> files = files_in(arguments[2]);
  if (files.empty()) {
    std::fprintf(stderr, "%s: holds no file\n", arguments[2]);
    return 2;
  }
  for (const std::string& file : files) target->second(file);
  const long mutations = count > 3 ? std::atol(arguments[3]) : 0;
  Random random(count > 4 ? std::strtoull(arguments[4], nullptr, 10) : 1, coppice::Purpose::generator);
  const char* kept = std::getenv(
      "FUZZ_LAST");  // a file that holds the alteration under way: what a crash leaves there is the finding
  for (long i = 0; i < mutations; ++i) {
    const std::string bytes = altered(files[random.below(files.size())], files, random);
    if (kept != nullptr) std::ofstream(kept, std::ios::binary) << bytes;
    target->second(bytes);
  }
  std::printf("%zu files and %ld alterations of them\n", files.size(), mutations);
}
