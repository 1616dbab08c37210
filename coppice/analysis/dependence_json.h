#pragma once

#include "coppice/analysis/analysis.h"
#include "coppice/device/threads.h"
#include "coppice/model/model.h"

#include <span>
#include <string>

#include <nlohmann/json.hpp>

namespace coppice {

/// The parts of analysis.json that tell what columns do: `dependence` on each of the first of `columns`, which are ranked by
/// importance, `interactions` of pairs of them, and `typical` values of all.
nlohmann::ordered_json dependence_json(ThreadPool& pool, const Model& model, const AnalysedData& held,
                                       std::span<const std::string> columns);

}  // namespace coppice
