#pragma once

#include "coppice/model/model.h"
#include "coppice/run/prepare.h"

#include <string>

#include <nlohmann/json.hpp>

namespace coppice {

/// The part of analysis.json that tells about the data.
nlohmann::ordered_json data_json(const PreparedData& data, const Origin& origin, const std::string& file);

/// Six digits tell all that a picture or a table can show; what is no finite number becomes null.
nlohmann::ordered_json rounded(double value);

}  // namespace coppice
