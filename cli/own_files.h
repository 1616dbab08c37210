#pragma once

#include <string>

namespace coppice::cli {

/// Fails if `out` is, or would be, one of the files that a run or a search keeps in its directory.
void check_not_own_file(const std::string& out);

}  // namespace coppice::cli
