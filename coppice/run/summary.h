#pragma once

#include "coppice/api/result.h"
#include "coppice/core/spread.h"

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace coppice {

/// An error as people read it: a share of rows, "1.36 %", or of the target's variance, "0.01234".
std::string error_text(Task task, double error);

/// What gave a net its size: its lambda, or "fixed".
std::string sizing_text(NetKind kind, double lambda);

// Values as files hold them: null where there is none, or where a number is not finite.
template <class T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}
nlohmann::ordered_json spread_json(const Spread& spread);
double number_or_nan(const nlohmann::json& value);

/// What summary.json holds.
nlohmann::ordered_json summary_json(const Summary& summary);
Summary parse_summary(const nlohmann::json& json, const std::string& name);

}  // namespace coppice
