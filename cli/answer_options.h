#pragma once

#include "coppice/api/options.h"

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

namespace coppice::cli {

/// When a class is answered, and how surely; what stands on the command line.
struct AnswerOptions {
  std::optional<double> threshold;
  std::string positive;
  std::optional<double> interval;
};

void add_answer_options(CLI::App& command, AnswerOptions& answers);

/// How to predict with these threads, on this device, with this threshold and interval.
PredictOptions predict_options(const Options& options, const AnswerOptions& answers);

}  // namespace coppice::cli
