#pragma once

#include "coppice/exports/lowered.h"

#include <nlohmann/json.hpp>

namespace coppice {

/// The lowered model as docs/exports.md tells.
nlohmann::ordered_json lowered_json(const LoweredModel& model);

}  // namespace coppice
