#pragma once

#include "coppice/api/result.h"

#include <string>

#include <nlohmann/json.hpp>

namespace coppice {

/// An error as people read it: a share of rows, "1.36 %", or of the target's variance, "0.01234".
std::string error_text(Task task, double error);

/// What summary.json holds.
nlohmann::ordered_json summary_json(const Summary& summary);
Summary parse_summary(const nlohmann::json& json, const std::string& name);

}  // namespace coppice
