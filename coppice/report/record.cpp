#include "coppice/report/record.h"

#include "coppice/core/error.h"
#include "coppice/core/file.h"
#include "coppice/core/text.h"

#include <algorithm>
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

/// One entry of summary.json; throws if an entry that every version writes is missing.
ReportNet net_of(const Json& json) {
  return {.id = json.at("id"),
          .lambda = json.at("lambda"),
          .seed = json.at("seed"),
          .hidden_units = json.at("hidden_units"),
          .parameters = json.at("parameters"),
          .bytes = number_at(json, "bytes"),
          .train_loss = number_at(json, "train_loss"),
          .validation_error = number_at(json, "validation_error"),
          .standard_error = number_at(json, "standard_error"),
          .test_error = number_at(json, "test_error"),
          .epochs = json.at("epochs"),
          .phase = json.at("phase"),
          .warm = !member(json, "warm_from").is_null(),
          .dominated = member(json, "dominated").is_boolean() && json["dominated"].get<bool>()};
}

bool dominates(const ReportNet& a, const ReportNet& b) {
  if (!std::isfinite(a.validation_error)) return false;
  if (!std::isfinite(b.validation_error)) return true;
  return a.parameters <= b.parameters && a.validation_error <= b.validation_error &&
         (a.parameters < b.parameters || a.validation_error < b.validation_error);
}

void read_nets(RunRecord& run, const std::string& path) {
  try {
    bool marked = true;
    for (const Json& json : run.summary.at("nets")) {
      run.nets.push_back(net_of(json));
      marked = marked && json.contains("dominated");
    }
    const Json& chosen = member(run.summary, "chosen");
    run.fits = !run.summary.contains("chosen") || !chosen.is_null();
    run.chosen = chosen.is_null() ? run.summary.at("best").get<std::size_t>() : chosen.get<std::size_t>();
    if (run.chosen >= run.nets.size()) fail("{}: names a net that it does not list", path);
    if (marked) return;
    for (ReportNet& net : run.nets) {
      net.dominated =
          std::ranges::any_of(run.nets, [&](const ReportNet& other) { return dominates(other, net); });
    }
  } catch (const Json::exception&) {
    fail("{}: is not a summary that coppice wrote; run train again", path);
  }
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
  if (!fs::exists(path("summary.json"))) {
    if (!fs::exists(directory)) fail("{}: there is no such directory; name a run directory", directory);
    if (fs::exists(path("config.json"))) {
      fail("{}: the run is not finished; continue it with coppice train --resume {}", directory, directory);
    }
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
  for (const ReportNet& net : run.nets) ids.push_back(net.id);
  run.histories = read_journal(path("journal.jsonl"), ids);
  run.classification = is_classification(run);
  return run;
}

std::string units_text(const ReportNet& net) {
  std::vector<std::string> units;
  for (const std::size_t count : net.hidden_units) units.push_back(std::to_string(count));
  return units.empty() ? "no hidden units" : joined(units, "-");
}

std::string net_text(const ReportNet& net) {
  return fmt::format("lambda {:g}, seed {}: {} units", net.lambda, net.seed, units_text(net));
}

std::string error_text(const RunRecord& run, double error) {
  if (!std::isfinite(error)) return "-";
  return run.classification ? share_text(error) : fmt::format("{:.4f}", error);
}

std::string end_text(const ReportNet& net) {
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
