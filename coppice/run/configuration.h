#pragma once

#include "coppice/core/directory_lock.h"
#include "coppice/run/settings.h"

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

// What a directory remembers of the settings it was begun with, and whether others may go on with it.
namespace coppice {

/// The JSON in a file that coppice wrote.
nlohmann::json read_json(const std::string& path);

/// "grid" or "random" if the directory holds a search, else nothing.
std::string kind_of_search(const std::string& directory);

/// Fails if a run or a search has left anything in the directory.
void refuse_used(const std::string& directory);

/// Creates the directory of something new and keeps others out of it; fails if it is used.
DirectoryLock claim_new(const std::string& directory);

/// Removes files that a killed program was about to write.
void remove_leftovers(const std::string& directory);

/// What config.json holds: all settings, the data's absolute path and the checksums of all files read.
nlohmann::json configuration(const RunOptions& options, const nlohmann::json& checksums);

/// Fails with the name of the first setting that shapes the result and differs. `noun` is what resumes: "run".
void refuse_changes(const std::vector<Setting>& before, const std::vector<Setting>& after,
                    const std::string& noun, const std::string& directory);

/// Fails if the checksums of a file differ.
void refuse_other_data(const nlohmann::json& before, const nlohmann::json& after, const std::string& noun,
                       const std::string& directory);

/// Stands for all settings that shape the result, and for the data; files may move.
std::uint32_t settings_fingerprint(RunOptions options, const nlohmann::json& checksums);

}  // namespace coppice
