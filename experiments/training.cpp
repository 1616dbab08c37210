#include "experiments/training.h"

#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/core/text.h"
#include "coppice/device/processor.h"
#include "coppice/search/side_by_side.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace coppice::experiments {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* asked_name = "asked.json";
constexpr const char* made_name = "made.json";

std::string in(const std::string& directory, const char* name) {
  return (fs::path(directory) / name).string();
}

json read_object(const std::string& path) {
  json object = json::parse(read_file(path), nullptr, false);
  if (!object.is_object()) fail_file("{}: is not a JSON object; remove its folder", path);
  return object;
}

/// Runs of many nets leave much behind that no entry looks at: what is left must be small enough to be carried about.
void remove_bulk(const std::string& directory, bool wanted) {
  fs::remove_all(in(directory, "checkpoints"));
  if (wanted) return;
  fs::remove(in(directory, "journal.jsonl"));
  for (const auto& entry : fs::directory_iterator(directory))
    if (entry.path().extension() == ".coppice") fs::remove(entry.path());
}

/// Says now and then how far the nets are, in plain lines.
class ProgressLines final : public Observer {
 public:
  ProgressLines(const Session& session, std::string name) : session_(&session), name_(std::move(name)) {}

  TrainingInfo info;

  void on_begin(const TrainingInfo& begun) override { info = begun; }
  void on_epoch(const EpochReport& epoch) override {
    if (!epoch.running) ++ended_;
    if (!pace_.due()) return;
    session_->say(fmt::format("{}: {} of {} nets ended; net {} in epoch {}, {}, units {}, error {:.4f}",
                              name_, ended_, info.nets, epoch.net, epoch.epoch, phase_name(epoch.next_phase),
                              size_text(epoch.hidden_units), epoch.validation_error));
  }
  void on_note(const std::string& note) override { session_->say(fmt::format("{}: {}", name_, note)); }

 private:
  const Session* session_;
  std::string name_;
  std::size_t ended_ = 0;
  Pace pace_;
};

/// A model in memory goes with tables in memory.
Result go_on(const Model& model, const std::string& directory, const DataFiles& data, Options options,
             Observer& observer, const std::function<bool()>& stop) {
  ReadOptions reading = read_options_for(model, true);
  reading.test_part = false;  // what a model reads is new to it, unless it is told otherwise
  const Table table = read_table(data.train, reading);
  if (data.validation_is_file()) options.validation = read_table(data.validation, reading);
  reading.test_part = true;
  options.test = read_table(data.test.empty() ? data.train : data.test, reading);
  options.warm_start = model;
  return train_in(directory, table, options, &observer, stop);
}

/// The one of this folder.
std::recursive_mutex& mutex_of(const std::string& directory) {
  static std::mutex mutex;
  static std::map<std::string, std::recursive_mutex> all;
  const std::scoped_lock finding(mutex);
  return all[directory];
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

std::string seeds_text(std::uint64_t first, std::size_t count) {
  return count == 1 ? std::to_string(first) : fmt::format("{} to {}", first, first + count - 1);
}

std::string numbers_text(const std::vector<double>& numbers) {
  std::vector<std::string> texts;
  for (const double number : numbers) texts.push_back(fmt::format("{:g}", number));
  return joined(texts, ",");
}

std::string train_command(const DataFiles& data, const Flags& flags) {
  const auto file_name = [](const std::string& path) { return fs::path(path).filename().string(); };
  std::string text = fmt::format("coppice train {}", file_name(data.train));
  for (const auto& [name, value] : data.flags() + flags) {
    const bool is_file = name == "test" || (name == "validation" && data.validation_is_file());
    text += fmt::format(" --{} {}", name, is_file ? file_name(value) : value);
  }
  return text;
}

Options options_of(const Session& session, const DataFiles& data, const Flags& flags) {
  Options options;
  options.device = session.device;
  options.gpus = session.gpus;
  if (session.threads > 0) options.threads = session.threads;
  if (!data.validation.empty() && !data.validation_is_file())
    set_option(options, "validation", {data.validation});
  for (const auto& [name, value] : flags) set_option(options, name, {value});
  return options;
}

WorkFolder::WorkFolder(const Session& session, const std::string& name, const std::string& command)
    : path_(session.work_path(name)), alone_(mutex_of(path_)), known_{.name = name, .command = command} {
  const std::string path = in(path_, asked_name);
  if (!fs::exists(path)) {
    if (fs::exists(in(path_, "config.json")) || fs::exists(in(path_, "search.json")))
      fail_file("{}: holds what was not begun here; choose another --work", path_);
    fs::create_directories(path_);
    write_file(path, json{{"command", command}}.dump(2) + "\n");
    return;
  }
  if (const std::string asked = read_object(path).value("command", ""); asked != command)
    fail_file("{}: was begun with other settings ({}); remove it or choose another --work", path_, asked);
}

bool WorkFolder::is_done() const {
  return fs::exists(in(path_, made_name));
}

void WorkFolder::done(const Provenance& made) const {
  write_file(in(path_, made_name), json{{"seeds", made.seeds},
                                        {"device", made.device},
                                        {"precision", made.precision},
                                        {"seconds", made.seconds}}
                                           .dump(2) +
                                       "\n");
}

Provenance WorkFolder::made() const {
  const json made = read_object(in(path_, made_name));
  Provenance all = known_;
  all.seeds = made.value("seeds", "");
  all.device = made.value("device", "");
  all.precision = made.value("precision", "");
  all.seconds = made.value("seconds", 0.0);
  return all;
}

std::string device_name(const std::string& text, std::size_t threads) {
  const std::string where = text.substr(0, text.find(", products in "));
  if (!where.starts_with("on the CPU")) return where.substr(where.find(' ') + 1);
  return fmt::format("{}, {} thread{}", processor_name(), threads, threads > 1 ? "s" : "");
}

TrainedNets train_nets(const Session& session, const std::string& name, const DataFiles& data,
                       const Flags& flags, Bulk bulk, const std::optional<Model>& begin_with) {
  check(session);
  const std::string command = train_command(data, flags) + (begin_with ? " --warm-start MODEL" : "");
  const WorkFolder folder(session, name, command);
  if (folder.is_done()) {
    session.say(fmt::format("{}: already there", name));
  } else {
    session.say(fmt::format("{}: {}", name, command));
    ProgressLines progress(session, name);
    const Options options = options_of(session, data, flags);
    const Result result = unless_interrupted([&] {
      return begin_with ? go_on(*begin_with, folder.path(), data, options, progress, session.stop)
                        : session.train_files(folder.path(), data.paths(), options, &progress, session.stop);
    });
    const TrainingInfo& info = progress.info;
    folder.done({.seeds = seeds_text(info.options.seed.value_or(0), info.options.seeds.value_or(1)),
                 .device = device_name(result.device_text, result.threads),
                 .precision = name_of(info.precision)});
    remove_bulk(folder.path(), bulk == Bulk::keep || result.nets.size() == 1);
  }
  TrainedNets nets{
      .directory = folder.path(), .summary = read_summary(folder.path()), .provenance = folder.made()};
  nets.provenance.seconds = nets.summary.seconds;
  return nets;
}

std::vector<TrainedNets> train_side_by_side(const Session& session, const std::vector<NetsOrder>& orders,
                                            std::size_t rank, const EachRun& each) {
  std::vector<TrainedNets> trained(orders.size());
  std::mutex telling;
  side_by_side(orders.size(), session.lanes->count(), [&](std::size_t i) {
    const NetsOrder& order = orders[i];
    // Who waits for another entry's run to end takes no lane from others.
    const std::unique_lock alone(mutex_of(session.work_path(order.name)));
    const Lanes::Lane lane(*session.lanes, session.first_rank + rank);
    trained[i] = train_nets(session, order.name, order.data, order.flags, order.bulk, order.begin_with);
    if (!each) return true;
    const std::scoped_lock lock(telling);
    each(i, trained[i]);
    return true;
  });
  return trained;
}

}  // namespace coppice::experiments
