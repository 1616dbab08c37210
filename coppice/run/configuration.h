#pragma once

#include "coppice/core/directory_lock.h"
#include "coppice/run/run_options.h"

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

// What a directory remembers of the settings it was begun with, and whether others may go on with it.
namespace coppice {

/// "grid" or "random" if the directory holds a search, else nothing.
std::string kind_of_search(const std::string& directory);

/// Fails if a run or a search has left anything in the directory, or if it holds a file that one would overwrite.
void refuse_used(const std::string& directory);

/// Creates the directory of something new and keeps others out of it; fails if it is used.
DirectoryLock claim_new(const std::string& directory);

/// Removes files that a killed program was about to write: those with names of ours, and no others.
void remove_leftovers(const std::string& directory);

/// What config.json holds: the settings that were given, the data's absolute path (null: it was in memory), `resolved`: all settings as they were
/// decided, and the checksums of all files read.
nlohmann::json configuration(const RunOptions& options, const Options& complete,
                             const nlohmann::json& checksums);

/// A setting that shapes results and is not what it was.
struct ChangedSetting {
  std::string name;
  nlohmann::json was;
  nlohmann::json is;
};

/// Those that differ; `resolved` has the values that were decided before. Files may have moved: their checksums tell
/// whether they are the same.
template <class Of>
std::vector<ChangedSetting> changes_of(const std::vector<Setting<Of>>& all, const Of& before, const Of& after,
                                       const nlohmann::json& resolved) {
  std::vector<ChangedSetting> changed;
  for (const Setting<Of>& setting : all) {
    nlohmann::json was = setting.get(before);
    const nlohmann::json is = setting.get(after);
    const bool moved = setting.takes_file && was.is_string() && is.is_string();
    if (!setting.shapes_result || was == is || moved) continue;
    if (was.is_null() && resolved.contains(setting.name)) was = resolved[setting.name];
    if (was != is) changed.push_back({.name = setting.name, .was = was, .is = is});
  }
  return changed;
}

/// Fails with the first of them. `noun` is what resumes: "run".
void refuse_changes(const std::vector<ChangedSetting>& changed, const std::string& noun,
                    const std::string& directory);

/// Fails if the checksums of a file differ.
void refuse_other_data(const nlohmann::json& before, const nlohmann::json& after, const std::string& noun,
                       const std::string& directory);

/// The same about what was handed in.
void refuse_other_memory(const nlohmann::json& before, const nlohmann::json& after,
                         const std::string& directory);

/// Stands for all settings that shape the result, and for the data; files may move.
std::uint32_t settings_fingerprint(const Options& complete, const nlohmann::json& checksums);
/// The same of what a configuration holds.
std::uint32_t settings_fingerprint(const nlohmann::json& config);

}  // namespace coppice
