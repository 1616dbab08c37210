#include "coppice/run/shard.h"

#include "coppice/core/directory_lock.h"
#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/core/text.h"
#include "coppice/run/checkpoint.h"
#include "coppice/run/configuration.h"
#include "coppice/run/layout.h"

#include <algorithm>
#include <charconv>
#include <thread>
#include <utility>

namespace coppice {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_shards = 100'000;
constexpr auto look_again = std::chrono::seconds(1);

std::optional<std::size_t> whole(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// "2" and "8" of "2/8", or of "2-of-8".
std::optional<Shard> shard_in(std::string_view text, std::string_view between) {
  const std::size_t at = text.find(between);
  if (at == std::string_view::npos) return std::nullopt;
  const auto index = whole(text.substr(0, at));
  const auto count = whole(text.substr(at + between.size()));
  if (!index || !count || *index >= *count || *count > most_shards) return std::nullopt;
  return Shard{.index = *index, .count = *count};
}

bool has_begun(const std::string& directory) {
  std::error_code error;
  return fs::exists(layout::in(directory, layout::config), error);
}

/// Whether it holds a whole checkpoint; then the net is there. A file that vanishes or is being replaced is none.
bool restore_from(NetRun& run, const std::string& directory, std::uint32_t fingerprint) {
  const std::string file = layout::in(directory, layout::checkpoint(run.id));
  std::error_code error;
  if (!fs::exists(file, error)) return false;
  restore_checkpoint(run, read_file(file), file, fingerprint);
  return true;
}

}  // namespace

Shard parse_shard(const std::string& text) {
  const auto shard = shard_in(text, "/");
  if (!shard) {
    fail("`shard` {}: is not I/N with I from 0 to N - 1, such as 0/8 to 7/8; let the array begin at 0",
         cited(text));
  }
  return *shard;
}

std::string shard_text(const Shard& shard) {
  return fmt::format("{}/{}", shard.index, shard.count);
}

std::string shard_directory(const std::string& run, const Shard& shard) {
  return layout::in(run, fmt::format("shard-{}-of-{}", shard.index, shard.count));
}

std::optional<Shard> shard_of_directory(const std::string& directory) {
  fs::path path = fs::path(directory).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  const std::string name = path.filename().string();
  constexpr std::string_view beginning = "shard-";
  if (!name.starts_with(beginning)) return std::nullopt;
  return shard_in(std::string_view(name).substr(beginning.size()), "-of-");
}

std::vector<std::string> shards_in(const std::string& directory) {
  std::vector<std::pair<std::pair<std::size_t, std::size_t>, std::string>> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    const auto shard = shard_of_directory(entry.path().string());
    if (shard && has_begun(entry.path().string()))
      found.emplace_back(std::pair(shard->count, shard->index), entry.path().string());
  }
  std::ranges::sort(found);
  std::vector<std::string> directories;
  for (auto& [place, path] : found) directories.push_back(std::move(path));
  return directories;
}

void refuse_other_shard(const std::string& directory, std::uint32_t fingerprint, const std::string& kernels) {
  const std::string file = layout::in(directory, layout::config);
  const nlohmann::json config = read_json(file);
  if (!config.contains("resolved") || !config.contains("checksums"))
    fail_file(
        "{}: is not a configuration that this version of train wrote; remove the shard and run it again",
        file);
  if (settings_fingerprint(config) != fingerprint)
    fail(
        "{}: this shard has other data or other settings; give all shards of a run the same, or name another "
        "-o",
        directory);
  const auto theirs = config.value("kernels", "");
  if (theirs != kernels) {
    fail(
        "{}: was trained by {}, not by {}, which round in another way; run all shards, and merge, on "
        "processors of one kind, or all with `portable-math` on",
        directory, theirs, kernels);
  }
}

void restore_furthest(NetRun& run, const std::vector<std::string>& directories, std::uint32_t fingerprint) {
  for (const std::string& directory : directories) {
    NetRun there = run;
    if (restore_from(there, directory, fingerprint) && there.epoch > run.epoch) run = std::move(there);
  }
}

ShardCrew::ShardCrew(const std::string& directory, std::uint32_t fingerprint, std::string kernels)
    : shard_(shard_of_directory(directory).value()),
      run_(fs::path(directory).lexically_normal().parent_path().string()),
      fingerprint_(fingerprint),
      kernels_(std::move(kernels)),
      checked_(shard_.count) {}

std::string ShardCrew::directory_of(std::size_t shard) const {
  return shard_directory(run_, {.index = shard, .count = shard_.count});
}

std::size_t ShardCrew::owner_of(const Training& training, std::size_t net) const {
  return (net - training.first_of_round()) % shard_.count;
}

ShardCrew::State ShardCrew::state_of(std::size_t shard) {
  if (shard == shard_.index) return State::running;
  const std::string directory = directory_of(shard);
  if (!has_begun(directory)) return State::absent;
  if (!checked_[shard]) refuse_other_shard(directory, fingerprint_, kernels_);
  checked_[shard] = true;
  return DirectoryLock::is_taken(directory) ? State::running : State::ended;
}

/// The directories of the shards that have begun here.
std::vector<std::string> ShardCrew::others() {
  std::vector<std::string> directories;
  for (std::size_t shard = 0; shard < shard_.count; ++shard) {
    if (shard != shard_.index && state_of(shard) != State::absent) directories.push_back(directory_of(shard));
  }
  return directories;
}

void ShardCrew::restore(NetRun& run) {
  restore_furthest(run, others(), fingerprint_);
}

/// Takes the nets of the round that others brought to their end since the last look: each lies with the shard it belongs to
/// unless that one ended before.
void ShardCrew::gather(Training& training) {
  std::map<std::size_t, std::vector<std::string>> places;  // by the shard that nets belong to
  for (const std::size_t net : training.waiting()) {
    const std::size_t shard = owner_of(training, net);
    if (!places.contains(shard)) {
      const bool alone = state_of(shard) == State::running && shard != shard_.index;
      places[shard] = alone ? std::vector{directory_of(shard)} : others();
    }
    for (const std::string& directory : places[shard]) {
      const std::string file = layout::in(directory, layout::checkpoint(net));
      std::error_code error;
      const fs::file_time_type written = fs::last_write_time(file, error);
      if (error || looked_at_[file] == written) continue;
      looked_at_[file] = written;
      NetRun run = training.runs()[net];
      if (!restore_from(run, directory, fingerprint_) || run.running()) continue;
      training.put_back(std::move(run));
      break;
    }
  }
}

/// What this shard trains next: its own nets, then those of shards that ended, divided among those that run.
std::vector<std::size_t> ShardCrew::share_of(const Training& training,
                                             const std::vector<std::size_t>& waiting) {
  std::vector<State> states;
  std::vector<std::size_t> running;
  for (std::size_t shard = 0; shard < shard_.count; ++shard) {
    states.push_back(state_of(shard));
    if (states.back() == State::running) running.push_back(shard);
  }
  std::vector<std::size_t> own;
  std::vector<std::size_t> left;
  missing_.clear();
  bool others_train = false;
  std::size_t place = 0;
  for (const std::size_t net : waiting) {
    const std::size_t shard = owner_of(training, net);
    if (shard == shard_.index) {
      own.push_back(net);
    } else if (states[shard] == State::absent) {
      missing_.push_back(shard);
    } else if (states[shard] == State::ended) {
      if (running[place++ % running.size()] == shard_.index)
        left.push_back(net);
      else
        others_train = true;
    } else {
      others_train = true;
    }
  }
  std::ranges::sort(missing_);
  missing_.erase(std::unique(missing_.begin(), missing_.end()), missing_.end());
  if (others_train) missing_.clear();  // there is something to wait for
  return own.empty() ? left : own;
}

bool ShardCrew::train_round(Training& training, TrainingObserver& observer,
                            const std::function<bool()>& stop) {
  while (!stop()) {
    gather(training);
    const std::vector<std::size_t> waiting = training.waiting();
    if (waiting.empty()) return true;
    const std::vector<std::size_t> next = share_of(training, waiting);
    if (!next.empty()) {
      training.train_nets(next, observer, stop);
    } else if (!missing_.empty()) {
      return false;
    } else {
      std::this_thread::sleep_for(look_again);
    }
  }
  return true;
}

}  // namespace coppice
