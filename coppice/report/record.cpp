#include "coppice/report/record.h"

#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/core/names.h"
#include "coppice/core/text.h"
#include "coppice/run/layout.h"
#include "coppice/run/model_file.h"

#include <cmath>
#include <filesystem>

namespace coppice {

namespace {

namespace fs = std::filesystem;

void read_nets(RunRecord& run, const std::string& path) {
  Summary summary = parse_summary(run.summary, path);
  run.fits = summary.chosen.has_value();
  run.chosen = summary.chosen.value_or(summary.best);
  run.nets = std::move(summary.nets);
  run.base = summary.base;
}

/// A model is run by the page; a report can do without one that is damaged or gone, but not because a disk fails.
std::optional<Model> read_model(const std::string& path) {
  if (!fs::exists(path)) return std::nullopt;
  try {
    return Model::load(path);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::bad_input) throw;
    return std::nullopt;
  }
}

Task task_of(const RunRecord& run) {
  for (const Json* object : {&run.summary, &run.config}) {
    if (const auto task = from_name<Task>(text_at(*object, "task"))) return *task;
  }
  const Json& target = member(member(run.analysis, "data"), "target");
  return text_at(target, "kind") == "number" ? Task::regression : Task::classification;
}

}  // namespace

RunRecord read_run(const std::string& directory) {
  const auto path = [&](const char* name) { return layout::in(directory, name); };
  if (fs::exists(path(layout::search))) {
    fail("{}: holds a search, and a report is about a run; its settings are in {}", directory,
         path(layout::summary));
  }
  if (!fs::exists(path(layout::summary))) {
    if (!fs::exists(directory)) fail("{}: there is no such directory; name a run directory", directory);
    if (fs::exists(path(layout::config))) refuse_unfinished(directory);
    fail("{}: holds no run; name the directory that coppice train wrote", directory);
  }
  RunRecord run;
  run.directory = directory;
  for (const char* name : {layout::config, layout::journal}) {
    if (!fs::exists(path(name))) fail("{}: is missing; a report needs the whole run directory", path(name));
  }
  run.config = read_json(path(layout::config));
  run.summary = read_json(path(layout::summary));
  read_nets(run, path(layout::summary));
  if (fs::exists(path(layout::analysis))) run.analysis = read_json(path(layout::analysis));
  std::vector<std::size_t> ids;
  for (const NetResult& net : run.nets) ids.push_back(net.id);
  run.histories = read_journal(path(layout::journal), ids);
  run.task = task_of(run);
  if (member(run.analysis, "typical").is_array())
    run.model = read_model(path(layout::net_model(run.chosen).c_str()));
  return run;
}

std::string units_text(const NetResult& net) {
  if (!net.members.empty()) return fmt::format("{} nets", net.members.size());
  return net.hidden_units.empty() ? "no hidden units" : size_text(net.hidden_units);
}

std::string lambda_text(const NetResult& net) {
  if (!net.members.empty()) return "one on each fold";
  const std::string sizing = sizing_text(net.kind, net.lambda);
  return sizing == "fixed" ? "fixed size" : "lambda " + sizing;
}

std::string net_text(const NetResult& net) {
  if (!net.members.empty()) return units_text(net) + ", " + lambda_text(net);
  return fmt::format("{}, seed {}: {} units", lambda_text(net), net.seed, units_text(net));
}

std::string end_text(const NetResult& net) {
  if (net.phase == "done") return net.taught ? "done, taught" : net.refit ? "done, all rows" : "done";
  if (net.phase == "failed") return "failed: loss not finite";
  return "stopped in " + net.phase;
}

const Json& member(const Json& object, const char* key) {
  static const Json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

double number_at(const Json& object, const char* key) {
  const Json& value = member(object, key);
  return value.is_number() ? value.get<double>() : std::nan("");
}

std::string text_at(const Json& object, const char* key) {
  const Json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : "";
}

std::vector<double> numbers_at(const Json& object, const char* key) {
  std::vector<double> numbers;
  for (const Json& value : member(object, key)) {
    numbers.push_back(value.is_number() ? value.get<double>() : std::nan(""));
  }
  return numbers;
}

}  // namespace coppice
