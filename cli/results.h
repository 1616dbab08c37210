#pragma once

#include <string>
#include <vector>

#include "coppice/run/run.h"

namespace coppice::cli {

/// The nets of a run as a table; the best one is marked.
std::string results_table(const Summary& summary);

/// One line each on stderr.
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace coppice::cli
