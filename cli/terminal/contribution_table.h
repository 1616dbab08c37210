#pragma once

#include <string>
#include <vector>

namespace coppice::cli {

/// What one column contributes to what a model says about a row.
struct ColumnPart {
  std::string column;
  std::string cell;  ///< what stands there; empty if it is missing
  double part = 0;
};

/// The largest of them, with bars to the left of an axis where they are below 0 and to its right where they are above; the
/// others in one line.
std::string contribution_table(std::vector<ColumnPart> parts);

}  // namespace coppice::cli
