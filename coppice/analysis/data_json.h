#pragma once

#include "coppice/analysis/analysis.h"
#include "coppice/model/model.h"

#include <nlohmann/json.hpp>

namespace coppice {

/// The part of analysis.json that tells about the data.
nlohmann::ordered_json data_json(const Model& model, const AnalysedData& data);

/// Six digits tell all that a picture or a table can show; what is no finite number becomes null.
nlohmann::ordered_json rounded(double value);

}  // namespace coppice
