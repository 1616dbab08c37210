#include "tests/soak/load.h"

#include "coppice/api/train.h"

#include "tests/api/tables.h"
#include "tests/soak/folder.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace coppice::soak {

namespace {

using Clock = std::chrono::steady_clock;
using coppice::test::ring_options;
using coppice::test::ring_table;

constexpr std::size_t callers = 16;
constexpr std::size_t rows = 20;  ///< of a call
constexpr int longest_wait = 60;  ///< seconds without any call ending: a lock-up

Options options_of(std::uint64_t seed) {
  Options options = ring_options();
  options.max_epochs = 6;
  options.seed = seed;
  options.threads = 1;
  return options;
}

/// Both models that stand in the file by turns, and what each says about each caller's rows.
struct Known {
  explicit Known(std::uint64_t seed)
      : model(train(ring_table(300), options_of(seed)).model()), bytes(model.bytes()) {
    for (std::size_t i = 0; i < callers; ++i) {
      tables.push_back(ring_table(rows, 100 + i));
      answers.push_back(model.predict(tables.back()).probabilities);
    }
  }

  Model model;
  std::string bytes;
  std::vector<Table> tables;
  std::vector<std::vector<double>> answers;
};

class Load {
 public:
  Load() : known_{Known(1), Known(2)} {
    if (known_[0].bytes == known_[1].bytes) fail("two seeds give the same model: nothing would be seen");
    known_[0].model.save(file_);
  }

  bool run(int seconds) {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < callers; ++i) threads.emplace_back([this, i] { guarded([&] { call(i); }); });
    for (std::size_t i = 0; i < 2; ++i) threads.emplace_back([this, i] { guarded([&] { train_on(i); }); });
    threads.emplace_back([this] { guarded([&] { replace(); }); });
    watch(seconds);
    for (std::thread& thread : threads) thread.join();
    return report(seconds);
  }

 private:
  /// What a thread throws is wrong, and ends all.
  template <class Action>
  void guarded(const Action& action) {
    try {
      while (!stop_) action();
    } catch (const std::exception& error) {
      std::printf("WRONG: %s\n", error.what());
      ++wrong_;
      stop_ = true;
    }
  }

  const Known& known_of(const Model& model) const {
    const std::string bytes = model.bytes();
    const auto found = std::ranges::find(known_, bytes, &Known::bytes);
    if (found == known_.end()) fail("the file holds neither of the models");
    return *found;
  }

  /// Loads the model that stands there just now and asks it some times.
  void call(std::size_t caller) {
    std::vector<double> times;
    const Model model = Model::load(file_);
    const Known& known = known_of(model);
    for (std::size_t i = 0; i < 50 && !stop_; ++i) {
      const auto begin = Clock::now();
      const Prediction prediction = model.predict(known.tables[caller], {.threads = 1});
      times.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
      if (prediction.probabilities != known.answers[caller]) fail("an answer is not that of the model");
      ++calls_;
    }
    ++loads_;
    const std::lock_guard lock(mutex_);
    times_.insert(times_.end(), times.begin(), times.end());
  }

  void train_on(std::size_t which) {
    if (train(ring_table(300), options_of(1 + which)).model().bytes() != known_[which].bytes)
      fail("a training gives another model");
    ++trainings_;
  }

  void replace() {
    known_[++replaced_ % 2].model.save(file_);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }

  /// Ends the process if no call comes to its end.
  void watch(int seconds) {
    const auto end = Clock::now() + std::chrono::seconds(seconds);
    std::size_t seen = 0;
    auto since = Clock::now();
    while (!stop_ && Clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (seen != calls_) since = Clock::now();
      seen = calls_;
      if (Clock::now() - since < std::chrono::seconds(longest_wait)) continue;
      std::printf("WRONG: no call has ended for %d s\n", longest_wait);
      std::fflush(stdout);
      std::abort();
    }
    stop_ = true;
  }

  bool report(int seconds) {
    std::ranges::sort(times_);
    const auto at = [&](double share) {
      return times_.empty()
                 ? 0.0
                 : 1e3 * times_[static_cast<std::size_t>(share * static_cast<double>(times_.size() - 1))];
    };
    std::printf(
        "%d s: %zu calls of %zu rows by %zu threads, %zu loads of a file that was replaced %zu times, %zu "
        "trainings\n",
        seconds, calls_.load(), rows, callers, loads_.load(), replaced_, trainings_.load());
    std::printf("a call takes %.3f ms in the median, %.3f at 99 %%, %.1f at most\n", at(0.5), at(0.99),
                at(1));
    const bool enough = calls_ > 0 && loads_ >= callers && replaced_ > 1;
    if (!enough) std::printf("WRONG: nearly nothing happened\n");
    return wrong_ == 0 && enough;
  }

  TemporaryFolder folder_;
  std::string file_ = folder_ / "model.coppice";
  std::vector<Known> known_;
  std::atomic<bool> stop_ = false;
  std::atomic<std::size_t> calls_ = 0, loads_ = 0, trainings_ = 0, wrong_ = 0;
  std::size_t replaced_ = 0;
  std::mutex mutex_;
  std::vector<double> times_;
};

}  // namespace

bool load(int seconds) {
  return Load().run(seconds);
}

}  // namespace coppice::soak
