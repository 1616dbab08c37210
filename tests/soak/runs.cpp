#include "tests/soak/runs.h"

#include "coppice/api/train.h"
#include "coppice/core/file.h"
#include "coppice/run/directory.h"
#include "coppice/run/read.h"

#include "tests/api/tables.h"
#include "tests/soak/folder.h"
#include "tests/soak/process.h"

#include <cstdio>

namespace coppice::soak {

namespace {

using coppice::test::Ring;

/// What a host does with the library, one of it at a time.
class Runs {
 public:
  Runs() : options_(coppice::test::ring_options()) {
    options_.max_epochs = 3;
    write_file(folder_ / "ring.csv", ring_.csv());
    write_file(folder_ / "bad.csv", "x0,x1,label\n1,2\n");
    expected_ = train(ring_.table(), options_).model().bytes();
  }

  void run(std::size_t number) {
    const std::string directory = folder_ / "run";
    switch (number % 5) {
      case 0:  // in memory
        require(train(ring_.table(), options_).model().bytes());
        break;
      case 1:  // in a directory
        require(train_in(directory, {.data = folder_ / "ring.csv"}, options_).model().bytes());
        break;
      case 2:  // interrupted, then resumed
        interrupted_and_resumed(directory);
        break;
      case 3:  // refused
        refused(directory);
        break;
      default:  // saved, loaded, asked
        asked();
    }
    std::filesystem::remove_all(directory);
    if (entries_of(folder_.path()) != 2) fail("run {} leaves files behind", number);
  }

 private:
  void require(const std::string& bytes) const {
    if (bytes != expected_) fail("a run gives another model than the first one");
  }

  void interrupted_and_resumed(const std::string& directory) {
    int asked = 0;
    try {
      train_in(directory, {.data = folder_ / "ring.csv"}, options_, nullptr, [&] { return ++asked > 2; });
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::interrupted) throw;
    }
    require(train_in(directory, {.data = folder_ / "ring.csv"}, options_).model().bytes());
  }

  void refused(const std::string& directory) {
    try {
      train_in(directory, {.data = folder_ / "bad.csv"}, options_);
    } catch (const Error& error) {
      if (std::string_view(error.what()).find("line 2") != std::string_view::npos) return;
    }
    fail("a file with a short row is not refused with its line");
  }

  void asked() {
    const std::string file = folder_ / "run";
    Model::from_bytes(expected_).save(file);
    const Model model = Model::load(file);
    require(model.bytes());
    const Table rows = read_table(folder_ / "ring.csv", read_options_for(model, false));
    if (model.predict(rows).rows != rows.rows()) fail("rows are missing in a prediction");
  }

  TemporaryFolder folder_;
  Ring ring_{60};
  Options options_;
  std::string expected_;
};

}  // namespace

bool library(std::size_t count) {
  constexpr std::size_t slack = 100'000;  // bytes of the heap: threads that end give their caches back late
  Runs runs;
  const std::size_t warm = count / 4;
  Held before;
  for (std::size_t i = 0; i < count; ++i) {
    runs.run(i);
    if (i + 1 == warm) before = Held::now();
  }
  const Held after = Held::now();
  std::printf("after %zu runs: %s\nafter %zu runs: %s\n", warm, before.text().c_str(), count,
              after.text().c_str());
  const bool same = after.heap <= before.heap + slack && after.resident <= before.resident + 40 * slack &&
                    after.descriptors == before.descriptors && after.threads == before.threads;
  std::printf("%s\n", same ? "nothing grew" : "WRONG: something grew");
  return same;
}

}  // namespace coppice::soak
