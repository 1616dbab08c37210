#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

// The files in the directory of a run or a search (docs/run-directory.md, docs/search.md).
namespace coppice {

namespace layout {

// Of a run.
inline constexpr const char* config = "config.json";
inline constexpr const char* journal = "journal.jsonl";
inline constexpr const char* analysis = "analysis.json";
inline constexpr const char* report = "report.html";
inline constexpr const char* checkpoints = "checkpoints";  ///< a folder
inline constexpr const char* checkpoint_ending = ".state";
std::string checkpoint(std::size_t net);
std::string net_model(std::size_t net);

// Of a search.
inline constexpr const char* search = "search.json";
inline constexpr const char* results = "results.jsonl";

// Of both.
inline constexpr const char* summary = "summary.json";
inline constexpr const char* model = "model.coppice";
inline constexpr const char* model_ending = ".coppice";

/// Whether a run or a search writes a file of that name into its directory; of `checkpoints`, into that folder.
bool is_own(std::string_view name);
bool is_own_checkpoint(std::string_view name);

/// Path of a file in a directory.
std::string in(const std::string& directory, std::string_view file);

}  // namespace layout

/// The JSON object in a file. Anything else is an Error that says what to do about it.
nlohmann::ordered_json read_json(const std::string& path,
                                 std::string_view advice = "restore the file or start a new run");

}  // namespace coppice
