#pragma once

#include "coppice/run/run.h"

#include <string>
#include <vector>

namespace coppice::cli {

/// The nets of a run as a table; the best one is marked.
std::string results_table(const Summary& summary);

/// One line each on stderr.
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace coppice::cli
