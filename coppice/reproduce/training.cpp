#include "coppice/reproduce/training.h"

#include "coppice/core/file.h"
#include "coppice/core/text.h"
#include "coppice/device/processor.h"
#include "coppice/model/names.h"
#include "coppice/reproduce/progress.h"
#include "coppice/run/configuration.h"
#include "coppice/run/device.h"

#include <algorithm>
#include <filesystem>

namespace coppice::reproduce {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* asked_name = "asked.json";  ///< what this run is to be, written before it begins
constexpr const char* made_name = "made.json";    ///< how it came to be, written when it has ended

std::string in(const std::string& directory, const char* name) {
  return (fs::path(directory) / name).string();
}

/// Fails if the folder is there for something else.
void claim_folder(const std::string& directory, const std::string& command) {
  const std::string path = in(directory, asked_name);
  if (!fs::exists(path)) {
    if (fs::exists(in(directory, "config.json")))
      fail("{}: holds a run that coppice reproduce did not begin; choose another --work", directory);
    fs::create_directories(directory);
    write_file(path, json{{"command", command}}.dump(2) + "\n");
    return;
  }
  const json asked = read_json(path);
  if (asked.value("command", "") != command)
    fail("{}: was begun with other settings ({}); remove it or choose another --work", directory,
         asked.value("command", ""));
}

Run open(const Session& session, const std::string& directory, const RunOptions& options) {
  if (!fs::exists(in(directory, "config.json"))) return Run::create(options, directory);
  return Run::resume(directory, [&](RunOptions& before) {
    before.data = options.data;
    before.validation = options.validation.empty() ? before.validation : options.validation;
    before.test = options.test;
    before.device = session.device;
    before.threads = session.threads;
  });
}

/// Runs of many nets leave much behind that no entry looks at: what is left must be small enough to be carried about.
void remove_bulk(const Run& run) {
  fs::remove_all(in(run.directory(), "checkpoints"));
  if (run.nets() == 1) return;
  fs::remove(in(run.directory(), "journal.jsonl"));
  for (const auto& entry : fs::directory_iterator(run.directory()))
    if (entry.path().extension() == ".coppice") fs::remove(entry.path());
}

TrainedNets finished(const std::string& directory, const std::string& name, const std::string& command) {
  const std::string path = in(directory, "summary.json");
  const json made = read_json(in(directory, made_name));
  TrainedNets nets{.directory = directory, .summary = parse_summary(read_json(path), path), .origin = {}};
  nets.origin = {.name = name,
                 .command = command,
                 .seeds = made.value("seeds", ""),
                 .device = made.value("device", ""),
                 .precision = made.value("precision", ""),
                 .seconds = nets.summary.seconds};
  return nets;
}

}  // namespace

std::vector<NetResult> TrainedNets::of_lambda(double lambda) const {
  std::vector<NetResult> some;
  std::ranges::copy_if(summary.nets, std::back_inserter(some),
                       [&](const NetResult& net) { return net.lambda == lambda; });
  if (some.empty())
    fail("{}: has no net of lambda {:g}; remove the folder and start again", directory, lambda);
  return some;
}

std::string device_text(const RunOptions& options, Device device) {
  if (device == Device::cuda) return gpu_status().text;
  const std::size_t threads = thread_count(options);
  return fmt::format("{}, {} thread{}", processor_name(), threads, threads > 1 ? "s" : "");
}

std::string seeds_text(std::uint64_t first, std::size_t count) {
  return count == 1 ? std::to_string(first) : fmt::format("{} to {}", first, first + count - 1);
}

std::string train_command(const DataFiles& data, const Flags& flags) {
  std::string text = fmt::format("coppice train {}", fs::path(data.train).filename().string());
  Flags all = data.flags();
  all.insert(all.end(), flags.begin(), flags.end());
  for (const auto& [name, value] : all) {
    const bool is_file = name == "test" || (name == "validation" && names_file(value));
    text += fmt::format(" --{} {}", name, is_file ? fs::path(value).filename().string() : value);
  }
  return text;
}

RunOptions options_of(const Session& session, const DataFiles& data, const Flags& flags) {
  RunOptions options;
  options.data = data.train;
  options.device = session.device;
  options.threads = session.threads;
  Flags all = data.flags();
  all.insert(all.end(), flags.begin(), flags.end());
  const std::vector<Setting> settings = settings_of(options);
  for (const auto& [name, value] : all) {
    const auto setting = std::ranges::find(settings, name, &Setting::name);
    if (setting == settings.end()) fail("--{}: there is no such setting", name);
    setting->set(setting->list ? split_commas({value}) : std::vector<std::string>{value});
  }
  return options;
}

TrainedNets train_nets(const Session& session, const std::string& name, const DataFiles& data,
                       const Flags& flags) {
  check(session);
  const std::string directory = session.work_path(name);
  const std::string command = train_command(data, flags);
  claim_folder(directory, command);
  if (fs::exists(in(directory, made_name))) {
    session.say(fmt::format("{}: already there", name));
    return finished(directory, name, command);
  }
  session.say(fmt::format("{}: {}", name, command));
  Run run = open(session, directory, options_of(session, data, flags));
  ProgressLines progress(session, name, run.nets());
  const bool complete = run_or_leave_gpu(run.options(), session.say, [&](bool again) {
    if (again) run.leave_gpu();
    return run.train(&progress, session.stop);
  });
  if (!complete) throw Interrupted();
  const Summary summary = run.finish();
  write_file(in(directory, made_name), json{{"seeds", seeds_text(run.options().seed, run.options().seeds)},
                                            {"device", device_text(run.options(), run.device().device)},
                                            {"precision", name_of(run.precision())}}
                                               .dump(2) +
                                           "\n");
  remove_bulk(run);
  return finished(directory, name, command);
}

std::string numbers_text(const std::vector<double>& numbers) {
  std::vector<std::string> texts;
  for (const double number : numbers) texts.push_back(fmt::format("{:g}", number));
  return joined(texts, ",");
}

Flags short_flags(const DataFiles& data) {
  if (data.name == "mnist") return {{"effort", "normal"}, {"patience", "10"}};
  return {{"effort", "quick"}};
}

Flags growing_flags(const Counts& counts, const DataFiles& data, const std::vector<double>& lambdas) {
  Flags flags{{"lambda", numbers_text(lambdas)}, {"seeds", std::to_string(counts.seeds)}};
  if (counts.short_protocol > 0) {
    const Flags brief = short_flags(data);
    flags.insert(flags.end(), brief.begin(), brief.end());
  } else {
    flags.insert(flags.end(), {{"effort", "paper"}, {"batch-size", "1000"}, {"angular-step", "30"}});
  }
  return flags;
}

}  // namespace coppice::reproduce
