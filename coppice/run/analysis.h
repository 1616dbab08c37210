#pragma once

#include "coppice/device/threads.h"
#include "coppice/model/model.h"
#include "coppice/run/prepare.h"

#include <cstddef>
#include <string>

#include <nlohmann/json.hpp>

namespace coppice {

/// What analysis.json holds (docs/run-directory.md): how a net does on rows it was not trained on, what it
/// looks at, and what the data is. `net` is its index in summary.json, `file` the data as the user named it.
/// The same for any number of threads.
nlohmann::ordered_json analysis_json(ThreadPool& pool, const Model& model, std::size_t net,
                                     const PreparedData& data, const std::string& file);

}  // namespace coppice
