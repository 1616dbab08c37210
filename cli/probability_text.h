#pragma once

#include <string>

namespace coppice::cli {

/// Appends what {:.6f} gives, without a general formatter for most numbers.
void append_probability(std::string& out, double p);

}  // namespace coppice::cli
