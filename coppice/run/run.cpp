#include "coppice/run/run.h"

#include "coppice/api/repeat.h"
#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/core/text.h"
#include "coppice/device/conductor.h"
#include "coppice/run/checkpoint.h"
#include "coppice/run/configuration.h"
#include "coppice/run/journal.h"
#include "coppice/run/layout.h"
#include "coppice/run/model_file.h"
#include "coppice/run/summary.h"

#include <chrono>
#include <filesystem>
#include <limits>
#include <set>
#include <utility>

namespace coppice {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// What is written there stays in the directory.
void refuse_link(const fs::path& folder) {
  std::error_code error;
  if (fs::is_symlink(folder, error))
    fail_file(
        "{}: is a symbolic link, and a run writes into no other directory; put a directory in its place",
        folder.string());
}

void create_checkpoints(const std::string& directory) {
  const fs::path folder = fs::path(directory) / layout::checkpoints;
  refuse_link(folder);
  if (const std::error_code error = make_directories(folder.string()))
    fail_file("{}: cannot create {}: {}; may the directory be written to?", directory, folder.string(),
              error.message());
}

/// Data that was in memory is nowhere now: only who has it can go on. A file is told by its own bytes, not by its rows.
[[noreturn]] void refuse_elsewhere(const std::string& directory, bool in_memory) {
  if (in_memory) {
    fail(
        "`resume` {}: the data was a table in memory, which the run does not keep; resume it from code with "
        "the same "
        "table: train_in in C++, coppice_run_resume_table in C",
        directory);
  }
  fail("`resume` {}: the data was a file, not a table in memory; resume it without a table", directory);
}

journal::Start start_of(const NetRun& run, const PlannedNet& planned, Device device) {
  journal::Start start;
  start.net = run.id;
  start.lambda = run.lambda;
  start.seed = run.seed;
  start.hidden_units = run.current.network.hidden_units();
  start.device = device;
  start.warm_from = planned.warm_from;
  return start;
}

/// Journals and checkpoints what happens, in the thread that called Run::train.
class Recorder final : public TrainingObserver {
 public:
  struct Sinks {
    Conductor* conductor;
    Journal* journal;
    Observer* observer;
    std::size_t journaled;         ///< nets whose beginning the journal tells
    std::size_t checkpoint_every;  ///< epochs
    std::function<void(const NetRun&)> write_checkpoint;
  };
  explicit Recorder(Sinks sinks) : to_(std::move(sinks)) {}

  void on_start(const NetRun& run, const PlannedNet& planned, Device device) override {
    if (run.id < to_.journaled) return;
    to_.conductor->post([this, start = start_of(run, planned, device)] { to_.journal->start(start); });
  }
  void on_epoch(const NetRun& run, const EpochReport& report) override {
    seen_.insert(run.id);
    auto state = reads_weights(run) ? std::make_shared<NetRun>(run) : nullptr;
    const std::size_t most_left = state ? 4 : 1000;  // so that few nets wait to be written
    to_.conductor->post(
        [this, report, state = std::move(state)] {
          to_.journal->epoch(report);
          if (state) to_.write_checkpoint(*state);
          if (to_.observer != nullptr) to_.observer->on_epoch(report);
        },
        most_left);
  }
  bool reads_weights(const NetRun& run) const override {
    return run.epoch % to_.checkpoint_every == 0 || !run.running();
  }
  /// Whether epochs of that net came by.
  bool has_seen(std::size_t net) const { return seen_.contains(net); }
  void on_note(const std::string& note) override {
    if (to_.observer != nullptr) to_.conductor->post([this, note] { to_.observer->on_note(note); });
  }

 private:
  Sinks to_;
  std::set<std::size_t> seen_;
};

}  // namespace

Run::Run(RunOptions options, std::string directory, std::function<bool()> stop)
    : options_(std::move(options)), directory_(std::move(directory)), stop_(std::move(stop)) {}

std::string Run::path(const std::string& name) const {
  return layout::in(directory_, name);
}

std::string Run::checkpoint_path(std::size_t net) const {
  return path(layout::checkpoint(net));
}

/// Reads the files, or takes what lies in memory, and prepares the training. Fails if their checksums are not those that are known.
void Run::read(const json* known_checksums) {
  Conductor conductor(stop_);
  conductor.run([&] {
    FilesRead files = read_files(options_, [&] { return conductor.stopped(); });
    checksums_ = files.checksums;
    if (known_checksums != nullptr && options_.table)
      refuse_other_memory(*known_checksums, checksums_, directory_);
    else if (known_checksums != nullptr)
      refuse_other_data(*known_checksums, checksums_, "run", directory_);
    training_ = std::make_unique<Training>(files.data, files.options, [&] { conductor.check(); });
    if (files.options.repeat.value_or(1) > 1) repeated_ = std::move(files);
  });
  fingerprint_ = settings_fingerprint(training_->options(), checksums_);
}

void Run::claim() {
  json config = configuration(options_, training_->options(), checksums_);
  config["kernels"] = training_->kernels();
  const std::string text = config.dump(2) + "\n";
  lock_ = claim_new(directory_);
  create_checkpoints(directory_);
  write_own_file(path(layout::config), text);
}

Run Run::create(RunOptions options, std::string directory, std::function<bool()> stop) {
  refuse_used(directory);
  options.warm_start = model_file(options.warm_start);
  Run run(std::move(options), std::move(directory), std::move(stop));
  run.read(nullptr);
  run.claim();
  return run;
}

Run Run::resume(const std::string& directory, const std::function<void(RunOptions&)>& change,
                std::function<bool()> stop) {
  const std::string config_path = layout::in(directory, layout::config);
  if (const std::string kind = kind_of_search(directory); !kind.empty()) {
    fail_file("`resume` {}: is a search; continue it with: coppice search {} --resume {}", directory, kind,
              directory);
  }
  if (!fs::exists(config_path))
    fail_file("`resume` {}: holds no run (there is no config.json); check the path", directory);
  DirectoryLock lock(directory);
  const json config = read_json(config_path);
  if (!config.is_object() || !config.contains("data") ||
      !(config["data"].is_string() || config["data"].is_null()) || !config.contains("resolved") ||
      !config["resolved"].is_object()) {
    fail_file("{}: is not a configuration that this version of train wrote; start a new run", config_path);
  }
  RunOptions before;
  const bool in_memory = config["data"].is_null();
  if (!in_memory) before.data = config["data"];
  apply_config(before, config, config_path, {});
  RunOptions options = before;
  change(options);
  if (in_memory != options.table.has_value()) refuse_elsewhere(directory, in_memory);
  options.warm_start = model_file(options.warm_start);
  refuse_changes(changes_of(run_settings(), before, options, config["resolved"]), "run", directory);
  Run run(std::move(options), directory, std::move(stop));
  const json checksums = config.value("checksums", json::object());
  run.read(&checksums);
  run.lock_ = std::move(lock);
  remove_leftovers(directory);
  create_checkpoints(directory);  // somebody may have removed them to save space: then nets begin anew
  return run;
}

void Run::restore(NetRun& run) const {
  const std::string file = checkpoint_path(run.id);
  if (fs::exists(file)) restore_checkpoint(run, read_file(file), file, fingerprint_);
}

void Run::write_checkpoint(const NetRun& run) const {
  lock_.require();
  refuse_link(path(layout::checkpoints));
  write_own_file(checkpoint_path(run.id), checkpoint_bytes(run, fingerprint_));
}

void Run::begin(const std::function<void(NetRun&)>& restore) {
  Conductor conductor(stop_);
  conductor.run([&] { training_->begin(restore); });
  begun_ = true;
}

bool Run::train(Observer* observer, Crew* crew) {
  if (!begun_) {
    begin([this, crew](NetRun& run) {
      restore(run);
      if (crew != nullptr) crew->restore(run);
    });
  }
  Conductor conductor(stop_);
  std::vector<std::size_t> epochs;
  for (const NetRun& run : training_->runs()) epochs.push_back(run.epoch);
  const JournalRest journaled = truncate_journal(path(layout::journal), epochs);
  const auto start = std::chrono::steady_clock::now();
  Journal journal(path(layout::journal), journaled.seconds);
  if (observer != nullptr) observer->on_begin(training_->info());
  Recorder recorder({.conductor = &conductor,
                     .journal = &journal,
                     .observer = observer,
                     .journaled = journaled.started,
                     .checkpoint_every = options_.epochs_between_checkpoints(),
                     .write_checkpoint = [this](const NetRun& run) { write_checkpoint(run); }});
  const double limit = options_.options.time_limit.value_or(std::numeric_limits<double>::infinity());
  bool complete = true;
  const auto write_all = [&] {
    for (const NetRun& run : training_->runs()) {
      const bool ended_before = run.id < epochs.size() && run.epoch == epochs[run.id] && !run.running();
      const bool elsewhere = crew != nullptr && !recorder.has_seen(run.id);
      if (!ended_before && !elsewhere) write_checkpoint(run);
    }
  };
  try {
    conductor.run([&] {
      complete = training_->train(
          recorder, [&] { return conductor.stopped(); }, limit, crew);
    });
  } catch (const GpuOutOfMemory&) {  // the nets are as they were: another device or another day can go on
    write_all();
    throw;
  }
  write_all();
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  seconds_ = journaled.seconds + passed.count();
  return complete;
}

void Run::write_models(Result& result) const {
  for (std::size_t i = 0; i < result.nets.size(); ++i)
    write_own_file(path(layout::net_model(i)), result.models[i].bytes());
  if (result.chosen) {
    write_own_file(path(layout::model), result.model().bytes());
  } else {
    fs::remove(path(layout::model));  // of an earlier budget
  }
}

Result Run::finish(Observer* observer) {
  lock_.require();
  Result result;
  Conductor conductor(stop_);
  conductor.run([&] {
    const auto check = [&] { conductor.check(); };
    result = training_->finish(check);
    result.seconds = seconds_;
    // A budget that no net meets leaves none chosen; the best one still tells about the data.
    const std::size_t shown = result.chosen.value_or(result.best);
    write_models(result);
    const std::string file =
        options_.table ? "" : to_utf8(fs::absolute(options_.data).lexically_normal().string());
    write_own_file(path(layout::analysis), training_->analysis_text(result, shown, file) + "\n");
  });
  if (repeated_)
    result.repetitions = repetitions(repeated_->data, repeated_->options, result, observer, stop_);
  write_own_file(path(layout::summary), summary_json(result).dump(2) + "\n");
  return result;
}

}  // namespace coppice
