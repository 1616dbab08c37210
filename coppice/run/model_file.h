#pragma once

#include <string>

namespace coppice {

/// The model that a path means: the file itself, or model.coppice of a run or a search where it names their
/// directory. Fails, with the reason, if the directory holds none.
std::string model_file(const std::string& path);

/// Fails, since the run or search in the directory has not ended yet, and says what to do.
[[noreturn]] void refuse_unfinished(const std::string& directory);

}  // namespace coppice
