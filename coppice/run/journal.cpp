#include "coppice/run/journal.h"

#include "coppice/core/error.h"
#include "coppice/core/file.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <nlohmann/json.hpp>

namespace coppice {

namespace {

using Line = nlohmann::ordered_json;

Line event(const char* name, const EpochReport& report) {
  return {{"event", name}, {"net", report.net}, {"epoch", report.epoch}};
}

void append(std::string& lines, const Line& line) {
  lines += line.dump();
  lines += '\n';
}

void append_units(std::string& lines, const char* name, const EpochReport& report,
                  const std::vector<UnitEvent>& units) {
  for (const UnitEvent& unit : units) {
    Line line = event(name, report);
    line["layer"] = unit.layer + 1;
    line["unit"] = unit.unit;
    append(lines, line);
  }
}

/// One line per layer, so that a reader takes a layer's units at once. Six digits tell all a picture can
/// show.
void append_lengths(std::string& lines, const EpochReport& report) {
  const auto rounded = [](double value) { return std::stod(fmt::format("{:.5g}", value)); };
  for (std::size_t layer = 0; layer < report.hidden_units.size(); ++layer) {
    Line line = event("lengths", report);
    line["layer"] = layer + 1;
    Line unit = Line::array();
    Line fan_in = Line::array();
    Line fan_out = Line::array();
    for (const UnitLengths& lengths : report.lengths) {
      if (lengths.layer != layer) continue;
      unit.push_back(lengths.unit);
      fan_in.push_back(rounded(lengths.fan_in));
      fan_out.push_back(rounded(lengths.fan_out));
    }
    line["units"] = unit;
    line["fan_in"] = fan_in;
    line["fan_out"] = fan_out;
    append(lines, line);
  }
}

bool is_count(const nlohmann::json& object, const char* key) {
  return object.is_object() && object.contains(key) && object[key].is_number_unsigned();
}

}  // namespace

std::string journal_lines(const NetRun& run, const EpochReport& report, double seconds) {
  std::string lines;
  append_units(lines, "born", report, report.born);
  append_units(lines, "died", report, report.died);
  Line line = event("epoch", report);
  line["phase"] = phase_name(report.phase);
  line["train_loss"] = report.train_loss;
  line["validation_error"] = report.validation_error;
  line["hidden_units"] = report.hidden_units;
  line[std::string(report.step_name)] = report.step;
  line["lambda"] = report.lambda;
  line["steps"] = report.steps;
  line["seconds"] = seconds;
  append(lines, line);
  if (!report.lengths.empty()) append_lengths(lines, report);
  if (report.rewound_to) {
    Line rewind = event("rewind", report);
    rewind["to_epoch"] = *report.rewound_to;
    rewind["phase"] = phase_name(report.next_phase);
    append(lines, rewind);
  }
  append_units(lines, "died", report, report.unlearned);
  if (!run.running()) {
    Line end = event("end", report);
    end["phase"] = phase_name(report.next_phase);
    append(lines, end);
  }
  return lines;
}

Journal::Journal(const std::string& path, double earlier)
    : path_(path), file_(std::fopen(path.c_str(), "ab")), earlier_(earlier) {
  if (!file_) fail("cannot write {}: {}", path, std::generic_category().message(errno));
}

void Journal::start(const NetRun& run, const PlannedNet& planned, Device device) {
  Line line{{"event", "start"},     {"net", run.id},    {"epoch", 0},
            {"lambda", run.lambda}, {"seed", run.seed}, {"hidden_units", run.current.network.hidden_units()}};
  line["device"] = name_of(device);
  if (planned.warm_from) line["warm_from"] = *planned.warm_from;
  write(line.dump() + "\n");
}

void Journal::on_epoch(const NetRun& run, const EpochReport& report) {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
  const double seconds = std::round((earlier_ + passed.count()) * 1000) / 1000;
  write(journal_lines(run, report, seconds));
}

void Journal::write(const std::string& lines) {
  const bool written = std::fwrite(lines.data(), 1, lines.size(), file_.get()) == lines.size();
  if (!written || std::fflush(file_.get()) != 0) {
    fail("cannot write {}: {}", path_, std::generic_category().message(errno));
  }
}

JournalRest truncate_journal(const std::string& path, const std::vector<std::size_t>& last_epoch) {
  if (!std::filesystem::exists(path)) return {};
  const std::string text = read_file(path);
  std::string kept;
  JournalRest rest;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    const auto object = nlohmann::json::parse(line, nullptr, false);
    if (!is_count(object, "net") || !is_count(object, "epoch")) continue;
    const std::size_t net = object["net"];
    if (net >= last_epoch.size() || object["epoch"].get<std::size_t>() > last_epoch[net]) continue;
    kept += line;
    kept += '\n';
    if (object.value("event", "") == "start") ++rest.started;
    if (object.contains("seconds") && object["seconds"].is_number())
      rest.seconds = std::max(rest.seconds, object["seconds"].get<double>());
  }
  write_file(path, kept);
  return rest;
}

}  // namespace coppice
