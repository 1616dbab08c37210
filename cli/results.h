#pragma once

#include "coppice/run/summary.h"

#include <string>
#include <vector>

namespace coppice::cli {

/// The nets of a run as a table, smaller ones first; the chosen one and those off the front are marked.
std::string results_table(const Summary& summary);

/// Median and range per lambda; empty without several seeds.
std::string points_table(const Summary& summary);

/// Median and range over repetitions of the training; empty if there were none.
std::string repetitions_line(const Summary& summary);

/// "always "no": 14.1 % wrong, log-loss 0.4071", what a model is to be compared with; empty for numbers.
std::string base_rate_line(const Summary& summary);

/// What is to be said about a model that gives every row the same answer; empty if it does not.
std::string one_answer_sentence(const Summary& summary);

/// One line each on stderr.
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace coppice::cli
