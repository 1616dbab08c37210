#include "coppice/run/configuration.h"

#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/core/text.h"
#include "coppice/model/parse_json.h"
#include "coppice/run/layout.h"
#include "coppice/version.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

namespace coppice {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The options as a configuration keeps them: files are found from any directory.
RunOptions with_absolute_paths(RunOptions options) {
  const auto make_absolute = [](std::string& path) { path = fs::absolute(path).lexically_normal().string(); };
  for (std::string* path : {&options.data, &options.validation, &options.test, &options.warm_start}) {
    if (!path->empty()) make_absolute(*path);
  }
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
  bool lists = false;  // as sizes of a grid are
  for (const json& entry : value) {
    entries.push_back(entry.is_string() ? entry.get<std::string>() : entry.dump());
    lists = lists || entries.back().find(',') != std::string::npos;
  }
  return entries.empty() ? "unset" : joined(entries, lists ? " and " : ",");
}

}  // namespace

std::string kind_of_search(const std::string& directory) {
  std::error_code error;
  const std::string file = layout::in(directory, layout::search);
  if (!fs::is_regular_file(file, error)) return {};
  const json search = parse_json(read_file(file)).value;
  const bool told = search.is_object() && search.contains("kind") && search["kind"].is_string();
  return told ? search["kind"].get<std::string>() : "random";
}

namespace {

/// A name in the directory that a new run or search would write to, or write through; empty if there is none.
std::string name_in_the_way(const std::string& directory) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename().string();
    const bool folder = name == layout::checkpoints && !fs::is_directory(entry.symlink_status(error));
    if (layout::is_own(name) || folder) return name;
  }
  return "";
}

void refuse_what_is_in_the_way(const std::string& directory) {
  const std::string name = name_in_the_way(directory);
  if (!name.empty())
    fail_file("{}: holds {}, of no run, where one would write its own; choose another -o or move it away",
              directory, name);
}

/// Whether a run or a search has left anything there.
bool is_used(const std::string& directory) {
  std::error_code error;
  return std::ranges::any_of(
      std::to_array<std::string>({layout::search, layout::results, layout::config, layout::summary,
                                  layout::journal, layout::model, layout::checkpoint(0)}),
      [&](const std::string& name) { return fs::exists(layout::in(directory, name), error); });
}

/// Whether a run there took its data from memory: the program cannot go on with it.
bool data_in_memory(const std::string& directory) {
  std::error_code error;
  const std::string file = layout::in(directory, layout::config);
  if (!fs::is_regular_file(file, error)) return false;
  const json config = parse_json(read_file(file)).value;
  return config.is_object() && config.contains("data") && config["data"].is_null();
}

[[noreturn]] void refuse_to_mix(const std::string& directory) {
  if (data_in_memory(directory)) {
    fail(
        "{}: already holds a run on a table in memory; choose another directory, or resume it with that "
        "table",
        directory);
  }
  const std::string kind = kind_of_search(directory);
  fail("{}: already holds a {}; choose another -o, or continue it with coppice {} --resume {}", directory,
       kind.empty() ? "run" : "search", kind.empty() ? "train" : fmt::format("search {}", kind), directory);
}

}  // namespace

void refuse_used(const std::string& directory) {
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (fs::exists(status) && !fs::is_directory(status)) {
    fail("{}: is a file, but results need a directory of their own; choose another -o", directory);
  }
  if (is_used(directory)) {
    const DirectoryLock free(directory);  // else there is nothing to continue yet
    refuse_to_mix(directory);
  }
  refuse_what_is_in_the_way(directory);
}

void remove_leftovers(const std::string& directory) {
  const auto remove_in = [](const fs::path& folder, bool (*is_ours)(std::string_view)) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      const auto target = target_of_leftover(entry.path().filename().string());
      const bool file = fs::is_regular_file(entry.symlink_status(error));
      if (target && is_ours(*target) && file) fs::remove(entry.path(), error);
    }
  };
  remove_in(directory, layout::is_own);
  remove_in(fs::path(directory) / layout::checkpoints, layout::is_own_checkpoint);
}

DirectoryLock claim_new(const std::string& directory) {
  if (const std::error_code error = make_directories(directory))
    fail("{}: cannot create the directory: {}; choose another -o", directory, error.message());
  DirectoryLock lock(directory);
  if (is_used(directory)) refuse_to_mix(directory);  // by another process, while this one read its data
  refuse_what_is_in_the_way(directory);
  remove_leftovers(directory);  // of one that was killed before it had written anything
  return lock;
}

json configuration(const RunOptions& options, const Options& complete, const json& checksums) {
  const RunOptions kept = with_absolute_paths(options);
  json config = settings_json(run_settings(), kept);
  if (!kept.data.empty() || kept.table) config["data"] = kept.table ? json() : json(kept.data);
  config["resolved"] = settings_json(settings(), complete);
  config["checksums"] = checksums;
  config["version"] = version();
  return config;
}

void refuse_changes(const std::vector<ChangedSetting>& changed, const std::string& noun,
                    const std::string& directory) {
  if (changed.empty()) return;
  const ChangedSetting& first = changed.front();
  fail_option(first.name,
              "`resume` {}: the {} was started with `{}` {}, not {}; leave the flag out or start a new {}",
              directory, noun, first.name, shown(first.was), shown(first.is), noun);
}

void refuse_other_data(const json& before, const json& after, const std::string& noun,
                       const std::string& directory) {
  for (const char* role : {"data", "validation", "test", "warm-start"}) {
    const bool same = before.contains(role) == after.contains(role) &&
                      (!before.contains(role) || before[role] == after[role]);
    if (!same) {
      fail(
          "`resume` {}: the {} file is not the one the {} was started with (its checksum differs); restore "
          "it or start a new {}",
          directory, role, noun, noun);
    }
  }
}

void refuse_other_memory(const json& before, const json& after, const std::string& directory) {
  for (const auto& [role, what] :
       {std::pair("data", "rows of the table"), std::pair("validation", "validation rows"),
        std::pair("test", "test rows"), std::pair("warm-start", "weights to begin with")}) {
    if (before.value(role, "") == after.value(role, "")) continue;
    fail(
        "`resume` {}: the {} are not those the run was started with (their checksum differs); hand in the "
        "same or "
        "start a new run",
        directory, what);
  }
}

std::uint32_t settings_fingerprint(const Options& complete, const json& checksums) {
  return settings_fingerprint(
      json{{"resolved", settings_json(settings(), complete)}, {"checksums", checksums}});
}

std::uint32_t settings_fingerprint(const json& config) {
  const json& resolved = config.at("resolved");
  json shaping{{"checksums", config.at("checksums")}};
  for (const Setting<Options>& setting : settings()) {
    if (setting.shapes_result) shaping[setting.name] = resolved.value(setting.name, json());
  }
  return checksum(shaping.dump());
}

}  // namespace coppice
