#include "coppice/run/trial_json.h"

#include "coppice/core/names.h"

#include <algorithm>
#include <cmath>

namespace coppice {

namespace {

/// Negative numbers would be read as huge ones.
bool counts_are_counts(const nlohmann::json& line) {
  const auto is_count = [](const nlohmann::json& value) { return value.is_number_unsigned(); };
  const nlohmann::json& hidden = line.at("hidden");
  return is_count(line.at("seed")) && is_count(line.at("parameters")) && is_count(line.at("epochs")) &&
         hidden.is_array() && !hidden.empty() && std::ranges::all_of(hidden, is_count);
}

double number_or_nan(const nlohmann::json& value) {
  return value.is_null() ? std::nan("") : value.get<double>();
}

}  // namespace

nlohmann::ordered_json trial_json(const TrialResult& result) {
  const Trial& trial = result.trial;
  return {{"hidden", trial.hidden},
          {"optimizer", name_of(trial.optimizer)},
          {"step", trial.step},
          {"norm", name_of(trial.norm)},
          {"seed", trial.seed},
          {"parameters", result.parameters},
          {"validation_error", result.validation_error},
          {"test_error", result.test_error ? nlohmann::ordered_json(*result.test_error) : nullptr},
          {"train_loss", result.train_loss},
          {"epochs", result.epochs},
          {"phase", result.phase}};
}

std::optional<TrialResult> parse_trial(const nlohmann::json& line) {
  try {
    const auto optimizer = from_name<OptimizerKind>(line.at("optimizer").get<std::string>());
    const auto norm = from_name<Norm>(line.at("norm").get<std::string>());
    if (!optimizer || !norm || !counts_are_counts(line)) return std::nullopt;
    TrialResult result{.trial = {.hidden = line.at("hidden"),
                                 .optimizer = *optimizer,
                                 .step = line.at("step"),
                                 .norm = *norm,
                                 .seed = line.at("seed")},
                       .parameters = line.at("parameters"),
                       .validation_error = number_or_nan(line.at("validation_error")),
                       .test_error = std::nullopt,
                       .train_loss = number_or_nan(line.at("train_loss")),
                       .epochs = line.at("epochs"),
                       .phase = line.at("phase")};
    if (!line.at("test_error").is_null()) result.test_error = line["test_error"].get<double>();
    return result;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace coppice
