#pragma once

#include "coppice/data/table.h"
#include "coppice/run/run_options.h"

#include <functional>

#include <nlohmann/json.hpp>

namespace coppice {

/// The files that options name, read; or what they hold in memory.
struct FilesRead {
  Table data;
  Options options;  ///< with the tables and the model that were read from files
  nlohmann::json
      checksums;  ///< of every file as it was read, or of what was handed in, by role: data, validation,
                  ///< test, warm-start
};

/// Reads each of them once. `stop` may end it, with an error of kind interrupted.
FilesRead read_files(const RunOptions& run, const std::function<bool()>& stop);

}  // namespace coppice
