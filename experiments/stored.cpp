#include "experiments/stored.h"

#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/core/names.h"
#include "coppice/core/text.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace coppice::experiments {

namespace {

using nlohmann::json;

json json_of(const Provenance& one) {
  return {{"name", one.name},     {"command", one.command},     {"seeds", one.seeds},
          {"device", one.device}, {"precision", one.precision}, {"seconds", one.seconds}};
}

Provenance provenance_of(const json& one) {
  return {.name = one.at("name"),
          .command = one.at("command"),
          .seeds = one.at("seeds"),
          .device = one.at("device"),
          .precision = one.at("precision"),
          .seconds = one.at("seconds")};
}

}  // namespace

const std::string& StoredEntry::cell(std::size_t row, std::string_view name) const {
  const auto found = std::ranges::find(rows.front(), name);
  if (found == rows.front().end()) fail("the stored data has no column {}; make the entry anew", cited(name));
  return rows.at(row).at(static_cast<std::size_t>(found - rows.front().begin()));
}

double StoredEntry::number(std::size_t row, std::string_view name) const {
  return parse_number(cell(row, name)).value_or(std::nan(""));
}

std::size_t StoredEntry::whole(std::size_t row, std::string_view name) const {
  return static_cast<std::size_t>(std::max(0.0, parse_number(cell(row, name)).value_or(0)));
}

std::vector<std::size_t> StoredEntry::units(std::size_t row) const {
  std::vector<std::size_t> units;
  std::string text = cell(row, "units");
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('-'), text.size());
    units.push_back(static_cast<std::size_t>(parse_number(text.substr(0, end)).value_or(0)));
    text.erase(0, end + 1);
  }
  return units;
}

const Provenance& StoredEntry::provenance(std::string_view run) const {
  const auto found = std::ranges::find(provenances, run, &Provenance::name);
  if (found == provenances.end()) fail("the stored data does not tell of the run {}", cited(run));
  return *found;
}

const DataFiles& StoredEntry::data_of(std::string_view set) const {
  const auto found = std::ranges::find(data, set, &DataFiles::name);
  if (found == data.end()) fail("the stored data does not tell of the set {}", cited(set));
  return *found;
}

std::string made_text(const Session& session, const EntryPage& page) {
  json made{{"scale", session.scale},
            {"set", changes_text(session.counts, counts_of(session.scale))},
            {"device", session.device ? name_of(*session.device) : ""},
            {"version", page.version},
            {"runs", json::array()},
            {"data", json::array()}};
  if (!session.sets.empty()) made["sets"] = session.sets;
  if (session.add) made["add"] = true;
  if (session.missing) made["missing"] = true;
  if (!page.before.empty()) made["before"] = page.before;
  for (const Provenance& one : page.provenances) made["runs"].push_back(json_of(one));
  for (const DataFiles& one : page.data)
    made["data"].push_back({{"name", one.name}, {"origin", one.origin}, {"made_by", one.made_by}});
  return made.dump(2) + "\n";
}

StoredEntry read_stored(Session& session, const std::string& name) {
  const auto path = [&](const char* ending) {
    return (std::filesystem::path(session.out) / (name + ending)).string();
  };
  for (const char* ending : {".csv", ".made.json"}) {
    if (!std::filesystem::exists(path(ending)))
      throw MissingData(
          fmt::format("--stored: there is no {}; make the entry first, without --stored", path(ending)));
  }
  StoredEntry stored{.rows = parse_csv(read_file(path(".csv")))};
  try {
    const json made = json::parse(read_file(path(".made.json")));
    session.scale = made.at("scale");
    session.counts = counts_of(session.scale);
    for (std::string rest = made.at("set"); !rest.empty();) {
      const std::size_t end = std::min(rest.find(','), rest.size());
      set_count(session.counts, rest.substr(0, end));
      rest.erase(0, end + 1);
    }
    const std::string device = made.at("device");
    session.device = device.empty() ? std::nullopt : from_name<Device>(device);
    session.sets = made.value("sets", std::vector<std::string>{});
    session.add = made.value("add", false);
    session.missing = made.value("missing", false);
    stored.before = made.value("before", std::vector<std::string>{});
    stored.version = made.at("version");
    for (const json& one : made.at("runs")) stored.provenances.push_back(provenance_of(one));
    for (const json& one : made.at("data"))
      stored.data.push_back(
          {.name = one.at("name"), .origin = one.at("origin"), .made_by = one.at("made_by")});
  } catch (const json::exception& error) {
    fail("{}: is not what an entry writes ({}); make the entry anew", path(".made.json"), error.what());
  }
  if (stored.rows.size() < 2) fail("{}: has no rows; make the entry anew", path(".csv"));
  return stored;
}

}  // namespace coppice::experiments
