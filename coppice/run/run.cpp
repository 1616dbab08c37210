#include "coppice/run/run.h"

#include "coppice/core/error.h"
#include "coppice/core/file.h"
#include "coppice/core/text.h"
#include "coppice/model/metrics.h"
#include "coppice/model/names.h"
#include "coppice/model/predict.h"
#include "coppice/run/checkpoint.h"
#include "coppice/run/journal.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <thread>
#include <tuple>

namespace coppice {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json read_json(const std::string& path) {
  const json value = json::parse(read_file(path), nullptr, false);
  if (value.is_discarded()) fail("{}: is not valid JSON; restore the file or start a new run", path);
  return value;
}

void create_directory(const std::string& directory) {
  std::error_code error;
  fs::create_directories(fs::path(directory) / "checkpoints", error);
  if (error) fail("{}: cannot create the run directory: {}", directory, error.message());
}

/// Names the first setting that shapes the result and differs.
void refuse_changes(RunOptions& before, RunOptions& after, const std::string& directory) {
  const std::vector<Setting> old_settings = settings_of(before);
  const std::vector<Setting> new_settings = settings_of(after);
  for (std::size_t i = 0; i < old_settings.size(); ++i) {
    if (!old_settings[i].shapes_result) continue;
    const json was = old_settings[i].get();
    const json is = new_settings[i].get();
    if (was == is) continue;
    fail("--resume {}: the run was started with --{} {}, not {}; leave the flag out or start a new run",
         directory, old_settings[i].name, was.is_null() ? "unset" : was.dump(),
         is.is_null() ? "unset" : is.dump());
  }
}

void refuse_other_data(const json& before, const json& after, const std::string& directory) {
  for (const char* role : {"data", "validation", "test"}) {
    const bool same = before.contains(role) == after.contains(role) &&
                      (!before.contains(role) || before[role] == after[role]);
    if (!same) {
      fail(
          "--resume {}: the {} file is not the one the run was started with (its checksum differs); restore "
          "it or "
          "start a new run",
          directory, role);
    }
  }
}

bool better(const NetResult& a, const NetResult& b) {
  const auto rank = [](const NetResult& net) {
    const double error = std::isfinite(net.validation_error) ? net.validation_error : HUGE_VAL;
    return std::tuple(error, net.parameters, net.id);
  };
  return rank(a) < rank(b);
}

double test_error(ThreadPool& pool, const Model& model, const PreparedData& data) {
  std::vector<std::uint32_t> rows = data.test_rows;
  if (data.test) {
    rows.resize(data.test->rows());
    std::iota(rows.begin(), rows.end(), 0U);
  }
  const Dataset& set = data.test_set();
  std::vector<std::uint32_t> labels;
  std::vector<float> targets;
  for (const std::uint32_t row : rows) {
    if (!set.labels.empty()) labels.push_back(set.labels[row]);
    if (!set.targets.empty()) targets.push_back(set.targets[row]);
  }
  return measure(model, predict_scores(pool, model, set, rows), labels, targets).error;
}

/// Writes a net's checkpoint at regular intervals and at its end.
class Checkpointer final : public Observer {
 public:
  Checkpointer(std::size_t every, std::function<void(const NetRun&)> write)
      : every_(every), write_(std::move(write)) {}
  void on_epoch(const NetRun& run, const EpochReport&) override {
    if (run.epoch % every_ == 0 || !run.running()) write_(run);
  }

 private:
  std::size_t every_;
  std::function<void(const NetRun&)> write_;
};

}  // namespace

std::string version() {
  return COPPICE_VERSION;
}

std::size_t thread_count(const RunOptions& options) {
  return options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
}

Run::Run(RunOptions options, std::string directory, PreparedData data)
    : options_(std::move(options)), directory_(std::move(directory)), data_(std::move(data)) {}

std::string Run::path(const std::string& name) const {
  return (fs::path(directory_) / name).string();
}

std::string Run::checkpoint_path(std::size_t net) const {
  return path(fmt::format("checkpoints/net-{}.state", net));
}

void Run::write_checkpoint(const NetRun& run) const {
  write_file(checkpoint_path(run.id), checkpoint_bytes(run));
}

Run Run::create(RunOptions options, std::string directory) {
  for (const char* name : {"config.json", "summary.json", "journal.jsonl"}) {
    if (fs::exists(fs::path(directory) / name)) {
      fail("{}: already holds a run; choose another -o, or continue it with --resume {}", directory,
           directory);
    }
  }
  PreparedData data = prepare_data(options);
  Run run(std::move(options), std::move(directory), std::move(data));
  create_directory(run.directory_);
  json config = settings_json(run.options_);
  config["data"] = fs::absolute(run.options_.data).lexically_normal().string();
  config["checksums"] = run.data_.checksums;
  config["version"] = version();
  write_file(run.path("config.json"), config.dump(2) + "\n");
  return run;
}

Run Run::resume(const std::string& directory, const std::function<void(RunOptions&)>& change) {
  const std::string config_path = (fs::path(directory) / "config.json").string();
  if (!fs::exists(config_path))
    fail("--resume {}: holds no run (there is no config.json); check the path", directory);
  const json config = read_json(config_path);
  if (!config.is_object() || !config.contains("data") || !config["data"].is_string()) {
    fail("{}: is not a configuration that train wrote; start a new run", config_path);
  }
  RunOptions before;
  before.data = config["data"];
  apply_config(before, config, config_path, {});
  RunOptions options = before;
  change(options);
  refuse_changes(before, options, directory);
  PreparedData data = prepare_data(options);
  refuse_other_data(config.value("checksums", json::object()), data.checksums, directory);
  return {std::move(options), directory, std::move(data)};
}

bool Run::train(Observer* observer, const std::function<bool()>& stop) {
  ThreadPool pool(thread_count(options_));
  const Trainer trainer(pool, options_.training);
  std::vector<NetData> net_data;
  std::vector<NetRun> runs;
  std::vector<std::size_t> epochs;
  for (std::size_t id = 0; id < nets(); ++id) {
    const std::uint64_t seed = options_.seed + id % options_.seeds;
    net_data.push_back(data_.net_data(seed));
    runs.push_back(trainer.start(id, options_.lambdas[id / options_.seeds], seed, net_data.back()));
    if (fs::exists(checkpoint_path(id))) {
      restore_checkpoint(runs.back(), read_file(checkpoint_path(id)), checkpoint_path(id));
    }
    epochs.push_back(runs.back().epoch);
  }
  truncate_journal(path("journal.jsonl"), epochs);
  Journal journal(path("journal.jsonl"));
  Checkpointer checkpointer(options_.checkpoint_every, [this](const NetRun& run) { write_checkpoint(run); });
  std::vector<Observer*> all{&journal, &checkpointer};
  if (observer != nullptr) all.push_back(observer);
  Observers observers(all);

  const auto start = std::chrono::steady_clock::now();
  const auto out_of_time = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() >=
           options_.time_limit;
  };
  Population population(pool, trainer, std::move(net_data), std::move(runs));
  population.train(observers, [&] { return stop() || out_of_time(); });
  runs_ = population.runs();
  for (const NetRun& run : runs_) write_checkpoint(run);
  return !stop();
}

Summary Run::finish(double seconds) const {
  ThreadPool pool(thread_count(options_));
  const Trainer trainer(pool, options_.training);
  Workspace<float> workspace;
  Summary summary;
  summary.seconds = seconds;
  summary.threads = pool.threads();
  summary.task = name_of(data_.encoding.task);
  for (const NetRun& run : runs_) {
    const NetState& state = options_.training.keep == Keep::last ? run.current : run.kept;
    const NetData net_data = data_.net_data(run.seed);
    Model model;
    model.encoding = data_.encoding;
    model.network = state.network;
    model.statistics = trainer.statistics(state.network, net_data, workspace);
    if (data_.classes() > 0) {
      std::vector<std::uint32_t> labels;
      for (const std::uint32_t row : net_data.validation_rows)
        labels.push_back(net_data.validation->labels[row]);
      model.temperature = fit_temperature(
          predict_scores(pool, model, *net_data.validation, net_data.validation_rows), labels);
    }
    NetResult result{.id = run.id,
                     .lambda = run.lambda,
                     .seed = run.seed,
                     .hidden_units = state.network.hidden_units(),
                     .parameters = state.network.parameters(),
                     .train_loss = state.train_loss,
                     .validation_error = state.validation_error,
                     .test_error = std::nullopt,
                     .epochs = run.epoch,
                     .phase = std::string(phase_name(run.protocol.phase())),
                     .model = fmt::format("net-{}.coppice", run.id)};
    if (data_.has_test()) result.test_error = test_error(pool, model, data_);
    model.origin = {.version = version(),
                    .optimizer = options_.training.optimizer,
                    .lambda = run.lambda,
                    .seed = run.seed,
                    .epochs = run.epoch,
                    .phase = result.phase,
                    .train_rows = net_data.train_rows.size(),
                    .validation_rows = net_data.validation_rows.size(),
                    .train_loss = result.train_loss,
                    .validation_error = result.validation_error,
                    .test_error = result.test_error};
    write_file(path(result.model), model_bytes(model));
    summary.nets.push_back(std::move(result));
  }
  for (std::size_t i = 1; i < summary.nets.size(); ++i) {
    if (better(summary.nets[i], summary.nets[summary.best])) summary.best = i;
  }
  write_file(path("model.coppice"), read_file(path(summary.nets[summary.best].model)));
  write_file(path("summary.json"), summary_json(summary).dump(2) + "\n");
  return summary;
}

}  // namespace coppice
