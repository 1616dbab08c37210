#include "coppice/run/run.h"

#include "coppice/core/error.h"
#include "coppice/core/file.h"
#include "coppice/core/text.h"
#include "coppice/run/checkpoint.h"
#include "coppice/run/combinations.h"
#include "coppice/training/lambda_scale.h"

#include <algorithm>
#include <filesystem>
#include <thread>

namespace coppice {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json read_json(const std::string& path) {
  const json value = json::parse(read_file(path), nullptr, false);
  if (value.is_discarded()) fail("{}: is not valid JSON; restore the file or start a new run", path);
  return value;
}

/// What a run leaves behind; none of it may be there when a new one begins.
void refuse_used(const std::string& directory) {
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (fs::exists(status) && !fs::is_directory(status)) {
    fail("{}: is a file, but a run needs a directory of its own; choose another -o", directory);
  }
  for (const char* name :
       {"config.json", "summary.json", "journal.jsonl", "model.coppice", "checkpoints/net-0.state"}) {
    if (!fs::exists(fs::path(directory) / name, error)) continue;
    fail("{}: already holds a run; choose another -o, or continue it with --resume {}", directory, directory);
  }
}

/// Files that a killed program was about to write.
void remove_leftovers(const std::string& directory) {
  for (const fs::path& folder : {fs::path(directory), fs::path(directory) / "checkpoints"}) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (entry.path().extension() == ".tmp") fs::remove(entry.path(), error);
    }
  }
}

/// The options as a configuration keeps them: files are found from any directory.
RunOptions with_absolute_paths(RunOptions options) {
  const auto make_absolute = [](std::string& path) { path = fs::absolute(path).lexically_normal().string(); };
  make_absolute(options.data);
  if (names_file(options.validation)) make_absolute(options.validation);
  if (names_file(options.test)) make_absolute(options.test);
  if (!options.warm_start.empty()) make_absolute(options.warm_start);
  for (const std::string& path : {options.data, options.validation, options.test, options.warm_start}) {
    if (!is_utf8(path)) fail("{}: the path is not in UTF-8, which config.json needs; rename the file", path);
  }
  return options;
}

/// A setting's value as one would type it.
std::string shown(const json& value) {
  if (value.is_null()) return "unset";
  if (value.is_string()) return cited(value.get<std::string>());
  if (!value.is_array()) return value.dump();
  std::vector<std::string> entries;
  for (const json& entry : value)
    entries.push_back(entry.is_string() ? entry.get<std::string>() : entry.dump());
  return entries.empty() ? "unset" : joined(entries, ",");
}

void create_directory(const std::string& directory) {
  std::error_code error;
  fs::create_directories(fs::path(directory) / "checkpoints", error);
  if (error) fail("{}: cannot create the run directory: {}; choose another -o", directory, error.message());
}

/// Names the first setting that shapes the result and differs.
void refuse_changes(RunOptions& before, RunOptions& after, const std::string& directory) {
  const std::vector<Setting> old_settings = settings_of(before);
  const std::vector<Setting> new_settings = settings_of(after);
  for (std::size_t i = 0; i < old_settings.size(); ++i) {
    if (!old_settings[i].shapes_result) continue;
    const json was = old_settings[i].get();
    const json is = new_settings[i].get();
    // Files may have moved: their checksums tell whether they are the same.
    const auto is_file = [](const json& value) { return value.is_string() && names_file(value); };
    const bool holds_path = old_settings[i].name == "validation" || old_settings[i].name == "test" ||
                            old_settings[i].name == "warm-start";
    if (was == is || (holds_path && is_file(was) && is_file(is))) continue;
    fail("--resume {}: the run was started with --{} {}, not {}; leave the flag out or start a new run",
         directory, old_settings[i].name, shown(was), shown(is));
  }
}

void refuse_other_data(const json& before, const json& after, const std::string& directory) {
  for (const char* role : {"data", "validation", "test", "warm-start"}) {
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

Run::Run(RunOptions options, std::string directory, PreparedData data)
    : options_(std::move(options)),
      directory_(std::move(directory)),
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
  write_file(checkpoint_path(run.id), checkpoint_bytes(run, fingerprint()));
}

/// Stands for all settings that shape the result, and for the data; files may move.
std::uint32_t Run::fingerprint() const {
  RunOptions options = options_;
  if (names_file(options.validation)) options.validation.clear();
  if (names_file(options.test)) options.test.clear();
  options.warm_start.clear();
  json shaping{{"checksums", data_.checksums}};
  for (const Setting& setting : settings_of(options)) {
    if (setting.shapes_result) shaping[setting.name] = setting.get();
  }
  return checksum(shaping.dump());
}

Run Run::create(RunOptions options, std::string directory) {
  const bool warm = !options.warm_start.empty();  // then the model settles some of the settings
  if (!warm) refuse_combinations(options);
  refuse_used(directory);
  PreparedData data = prepare_data(options);
  if (warm) refuse_combinations(options);
  Run run(std::move(options), std::move(directory), std::move(data));
  RunOptions kept = with_absolute_paths(run.options_);
  json config = settings_json(kept);
  config["data"] = kept.data;
  config["checksums"] = run.data_.checksums;
  config["given"] = given_json(kept);
  config["version"] = version();
  const std::string text = config.dump(2) + "\n";
  create_directory(run.directory_);
  write_file(run.path("config.json"), text);
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
  refuse_other_data(config.value("checksums", json::object()), file_checksums(options), directory);
  PreparedData data = prepare_data(options);
  remove_leftovers(directory);
  return {std::move(options), directory, std::move(data)};
}

}  // namespace coppice
