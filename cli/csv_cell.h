#pragma once

#include <string>

namespace coppice::cli {

/// A text as a cell of a csv file: in quotes where it needs them.
std::string csv_cell(const std::string& text);

}  // namespace coppice::cli
