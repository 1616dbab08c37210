#pragma once

#include <string>
#include <vector>

namespace coppice {

/// All texts that is_missing() takes for a missing value, but those with blanks around them.
std::vector<std::string> missing_spellings();

}  // namespace coppice
