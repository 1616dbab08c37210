#include "coppice/run/run.h"

#include "coppice/core/error.h"
#include "coppice/core/file.h"
#include "coppice/run/checkpoint.h"
#include "coppice/run/combinations.h"
#include "coppice/run/configuration.h"
#include "coppice/run/model_file.h"
#include "coppice/training/lambda_scale.h"

#include <algorithm>
#include <filesystem>
#include <thread>

namespace coppice {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

void create_checkpoints(const std::string& directory) {
  const fs::path folder = fs::path(directory) / "checkpoints";
  std::error_code error;
  fs::create_directory(folder, error);
  if (!error && !fs::is_directory(folder)) error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    fail("{}: cannot create {}: {}; may the directory be written to?", directory, folder.string(),
         error.message());
}

/// A path begins with a net that is clearly too small: a third of the lambda above which nothing is learned.
std::vector<double> path_lambdas(const RunOptions& options, const PreparedData& data) {
  ThreadPool pool(thread_count(options));
  const double largest = largest_lambda(pool, options.training, options.seed, data.net_data(options.seed));
  return lambda_path(std::clamp(largest / 3, 1e-9, 1e9), options.path);
}

/// The lambdas that a run begins with; a net of fixed size has no penalty unless one is given.
std::vector<double> lambdas_of(const RunOptions& options, const PreparedData& data) {
  if (!options.lambdas.empty()) return options.lambdas;
  return options.training.fixed_size.empty() ? path_lambdas(options, data) : std::vector<double>{0.0};
}

}  // namespace

std::string version() {
  return COPPICE_VERSION;
}

std::size_t thread_count(const RunOptions& options) {
  return options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
}

Run::Run(RunOptions options, std::string directory, DirectoryLock lock, PreparedData data)
    : options_(std::move(options)),
      directory_(std::move(directory)),
      lock_(std::move(lock)),
      data_(std::move(data)),
      device_(choose_device(options_)),
      lambdas_(lambdas_of(options_, data_)) {}

void Run::leave_gpu() {
  RunOptions options = options_;
  options.device = Device::cpu;
  device_ = choose_device(options);
  runs_.clear();  // they come back from their checkpoints
  planned_.clear();
}

/// The user's options, what was left to the program decided.
TrainingOptions Run::training_options() const {
  TrainingOptions training = options_.training;
  training.precision = precision();
  return training;
}

std::string Run::path(const std::string& name) const {
  return (fs::path(directory_) / name).string();
}

std::string Run::checkpoint_path(std::size_t net) const {
  return path(fmt::format("checkpoints/net-{}.state", net));
}

void Run::write_checkpoint(const NetRun& run) const {
  lock_.require();
  write_file(checkpoint_path(run.id), checkpoint_bytes(run, fingerprint()));
}

std::uint32_t Run::fingerprint() const {
  return settings_fingerprint(options_, data_.checksums);
}

Run Run::create(RunOptions options, std::string directory) {
  const bool warm = !options.warm_start.empty();  // then the model settles some of the settings
  if (!warm) refuse_combinations(options);
  refuse_used(directory);
  options.warm_start = model_file(options.warm_start);
  PreparedData data = prepare_data(options);
  if (warm) refuse_combinations(options);
  Run run(std::move(options), std::move(directory), {}, std::move(data));
  const std::string text = configuration(run.options_, run.data_.checksums).dump(2) + "\n";
  run.lock_ = claim_new(run.directory_);
  create_checkpoints(run.directory_);
  write_file(run.path("config.json"), text);
  return run;
}

Run Run::resume(const std::string& directory, const std::function<void(RunOptions&)>& change) {
  const std::string config_path = (fs::path(directory) / "config.json").string();
  if (const std::string kind = kind_of_search(directory); !kind.empty()) {
    fail("--resume {}: is a search; continue it with: coppice search {} --resume {}", directory, kind,
         directory);
  }
  if (!fs::exists(config_path))
    fail("--resume {}: holds no run (there is no config.json); check the path", directory);
  DirectoryLock lock(directory);
  const json config = read_json(config_path);
  if (!config.is_object() || !config.contains("data") || !config["data"].is_string()) {
    fail("{}: is not a configuration that train wrote; start a new run", config_path);
  }
  RunOptions before;
  before.data = config["data"];
  apply_config(before, config, config_path, {});
  RunOptions options = before;
  change(options);
  options.warm_start = model_file(options.warm_start);
  refuse_changes(settings_of(before), settings_of(options), "run", directory);
  refuse_other_data(config.value("checksums", json::object()), file_checksums(options), "run", directory);
  PreparedData data = prepare_data(options);
  remove_leftovers(directory);
  create_checkpoints(directory);  // somebody may have removed them to save space: then nets begin anew
  return {std::move(options), directory, std::move(lock), std::move(data)};
}

}  // namespace coppice
