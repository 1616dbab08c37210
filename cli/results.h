#pragma once

#include "coppice/run/summary.h"

#include <string>
#include <vector>

namespace coppice::cli {

/// The nets of a run as a table, smaller ones first; the chosen one and those off the front are marked.
std::string results_table(const Summary& summary);

/// Median and range per lambda; empty without several seeds.
std::string points_table(const Summary& summary);

/// One line each on stderr.
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace coppice::cli
