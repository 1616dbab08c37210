#include "coppice/report/record.h"

#include "coppice/core/error.h"
#include "coppice/core/file.h"
#include "coppice/core/text.h"
#include "coppice/run/model_file.h"

#include <cmath>
#include <filesystem>

namespace coppice {

namespace {

namespace fs = std::filesystem;

Json read_json(const std::string& path) {
  Json json = Json::parse(read_file(path), nullptr, false);
  if (!json.is_object()) fail("{}: is not what coppice wrote there; run train again", path);
  return json;
}

void read_nets(RunRecord& run, const std::string& path) {
  Summary summary = parse_summary(run.summary, path);
  run.fits = summary.chosen.has_value();
  run.chosen = summary.chosen.value_or(summary.best);
  run.nets = std::move(summary.nets);
}

bool is_classification(const RunRecord& run) {
  for (const Json* object : {&run.summary, &run.config}) {
    const std::string task = text_at(*object, "task");
    if (task == "classification" || task == "regression") return task == "classification";
  }
  return text_at(member(member(run.analysis, "data"), "target"), "kind") != "number";
}

}  // namespace

RunRecord read_run(const std::string& directory) {
  const auto path = [&](const char* name) { return (fs::path(directory) / name).string(); };
  if (fs::exists(path("search.json"))) {
    fail("{}: holds a search, and a report is about a run; its settings are in {}", directory,
         path("summary.json"));
  }
  if (!fs::exists(path("summary.json"))) {
    if (!fs::exists(directory)) fail("{}: there is no such directory; name a run directory", directory);
    if (fs::exists(path("config.json"))) refuse_unfinished(directory);
    fail("{}: holds no run; name the directory that coppice train wrote", directory);
  }
  RunRecord run;
  run.directory = directory;
  for (const char* name : {"config.json", "journal.jsonl"}) {
    if (!fs::exists(path(name))) fail("{}: is missing; a report needs the whole run directory", path(name));
  }
  run.config = read_json(path("config.json"));
  run.summary = read_json(path("summary.json"));
  read_nets(run, path("summary.json"));
  if (fs::exists(path("analysis.json"))) run.analysis = read_json(path("analysis.json"));
  std::vector<std::size_t> ids;
  for (const NetResult& net : run.nets) ids.push_back(net.id);
  run.histories = read_journal(path("journal.jsonl"), ids);
  run.classification = is_classification(run);
  return run;
}

std::string units_text(const NetResult& net) {
  std::vector<std::string> units;
  for (const std::size_t count : net.hidden_units) units.push_back(std::to_string(count));
  return units.empty() ? "no hidden units" : joined(units, "-");
}

std::string net_text(const NetResult& net) {
  return fmt::format("lambda {:g}, seed {}: {} units", net.lambda, net.seed, units_text(net));
}

std::string error_text(const RunRecord& run, double error) {
  if (!std::isfinite(error)) return "-";
  return run.classification ? share_text(error) : fmt::format("{:.4f}", error);
}

std::string end_text(const NetResult& net) {
  if (net.phase == "done") return "done";
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
