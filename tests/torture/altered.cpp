// altered NAME COUNT SEED: a file of a small finished run or search, altered COUNT times at random; each time whoever goes on must refuse it
// with one line or come to the same models. A COUNT of 0: cut to every length. NAME: model, checkpoint, journal, config, results or search.
// For sanitizers: it does in one process what flips.py does with the program.
#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/core/random.h"
#include "coppice/model/model.h"
#include "coppice/run/checkpoint.h"
#include "coppice/run/run.h"
#include "coppice/run/search_run.h"

#include "tests/api/tables.h"
#include "tests/soak/folder.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <new>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace coppice;

/// The bytes of all files of a directory, by their path in it.
using Files = std::map<std::string, std::string>;

Files files_in(const fs::path& directory) {
  Files files;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file())
      files[fs::relative(entry.path(), directory).string()] = read_file(entry.path().string());
  }
  return files;
}

Files models_of(const Files& all) {
  Files models;
  for (const auto& [name, bytes] : all) {
    if (name.ends_with(".coppice")) models[name] = bytes;
  }
  return models;
}

/// Not flushed, as it need not last.
void put(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

/// The directory holds these files and no others.
void put_back(const fs::path& directory, const Files& wanted) {
  fs::create_directories(directory / "checkpoints");
  const Files there = files_in(directory);
  for (const auto& [name, bytes] : there) {
    if (!wanted.contains(name)) fs::remove(directory / name);
  }
  for (const auto& [name, bytes] : wanted) {
    const auto found = there.find(name);
    if (found == there.end() || found->second != bytes) put(directory / name, bytes);
  }
}

/// One bit is another, or a stretch is missing, doubled or zero.
std::string altered(std::string bytes, Random& random) {
  const std::size_t at = random.below(bytes.size());
  const std::size_t length = 1 + random.below(63);
  switch (random.below(8)) {
    case 0:
      return bytes.erase(at, length);
    case 1:
      return bytes.insert(at, bytes.substr(at, length));
    case 2:
      for (std::size_t i = at; i < std::min(at + length, bytes.size()); ++i) bytes[i] = 0;
      return bytes;
    default:
      bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << random.below(8)));
      return bytes;
  }
}

class Altered {
 public:
  Altered(const std::string& name, std::uint64_t seed) : name_(name), random_(seed, Purpose::generator, 77) {
    write_file(folder_ / "ring.csv", test::Ring(40).csv());
    RunOptions run;
    run.data = folder_ / "ring.csv";
    run.options = test::ring_options();
    run.options.threads = 1;
    run.options.max_epochs = 3;
    const std::string directory = folder_ / "run";
    if (name == "results" || name == "search") {
      file_ = name == "results" ? "results.jsonl" : "search.json";
      SearchRunOptions options;
      options.run = run;
      options.run.options.lambdas.clear();
      options.space.kind = SearchKind::grid;
      options.space.sizes = {{3}, {6}};
      options.space.optimizers = {OptimizerKind::sgd};
      options.space.norms = {Norm::none};
      options.space.steps.values = {0.1, 1};
      end(SearchRun::create(options, directory));
      go_on_ = [directory] { end(SearchRun::resume(directory, [](SearchRunOptions&) {})); };
    } else {
      file_ = name == "model"        ? "model.coppice"
              : name == "checkpoint" ? "checkpoints/net-0.state"
              : name == "journal"    ? "journal.jsonl"
              : name == "config"     ? "config.json"
                                     : "";
      if (file_.empty()) fail("{}: must be model, checkpoint, journal, config, results or search", name);
      run.options.ensemble = 1;
      run.checkpoint_every = 1;
      end(Run::create(run, directory));
      Run finished = resumed(directory);
      finished.train(nullptr);
      nets_ = nets_of(finished);
      // Only the configuration has a say in what is made of the nets in the end.
      go_on_ = [this, directory, always = name == "config"] {
        Run again = resumed(directory);
        if (again.train(nullptr) && (always || nets_of(again) != nets_)) again.finish();
      };
    }
    if (name == "model")
      go_on_ = [this] {
        put(folder_ / "run/model.coppice", Model::load(folder_ / "run/model.coppice").bytes());
      };
    files_ = files_in(directory);
  }

  bool all(std::size_t count) {
    const std::string& whole = files_.at(file_);
    for (std::size_t i = 0; i < count; ++i) attempt(altered(whole, random_), "alteration", i);
    const std::size_t lengths = count == 0 ? whole.size() : 0;
    for (std::size_t size = 0; size < lengths; ++size) attempt(whole.substr(0, size), "length", size);
    std::printf(
        "%s: %zu alterations, %zu lengths: %zu refused, the others without effect on models; %zu wrong\n",
        name_.c_str(), count, lengths, refused_, wrong_);
    return wrong_ == 0;
  }

 private:
  template <class Any>
  static void end(Any any) {
    if (any.train(nullptr)) any.finish();
  }

  static Run resumed(const std::string& directory) {
    return Run::resume(directory, [](RunOptions&) {});
  }

  /// All that a run's models are made of, besides its configuration.
  static std::vector<std::string> nets_of(const Run& run) {
    std::vector<std::string> nets;
    for (const NetRun& net : run.training().runs()) nets.push_back(checkpoint_bytes(net, run.fingerprint()));
    return nets;
  }

  void attempt(const std::string& bytes, const char* what, std::size_t number) {
    const fs::path directory = folder_ / "run";
    put_back(directory, files_);
    put(directory / file_, bytes);
    ::alarm(300);  // nothing may take that long
    const auto wrong = [&](const std::string& why) {
      ++wrong_;
      std::printf("WRONG: %s of %s, %s %zu\n", why.c_str(), name_.c_str(), what, number);
      if (wrong_ <= 3) put(fs::path("altered-" + name_ + "-" + std::to_string(wrong_)), bytes);
    };
    try {
      go_on_();
      if (models_of(files_in(directory)) != models_of(files_)) wrong("other models");
    } catch (const Error& error) {
      ++refused_;
      const std::string text = error.what();
      if (text.empty() || text.find('\n') != std::string::npos) wrong("no sentence: " + text);
    } catch (const std::exception& error) {
      wrong(std::string("no Error: ") + error.what());
    }
  }

  soak::TemporaryFolder folder_;
  std::string name_;
  Random random_;
  std::string file_;
  std::function<void()> go_on_;
  std::vector<std::string> nets_;  ///< of the finished run
  Files files_;
  std::size_t refused_ = 0;
  std::size_t wrong_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::fprintf(stderr, "usage: altered model|checkpoint|journal|config|results|search COUNT SEED\n");
    return 2;
  }
  try {
    Altered run(arguments[1], std::strtoull(arguments[3], nullptr, 10));
    return run.all(std::strtoull(arguments[2], nullptr, 10)) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "altered: %s\n", error.what());
    return 1;
  }
}
