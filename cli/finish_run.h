#pragma once

#include "coppice/run/run.h"

#include <cstddef>
#include <string>

namespace coppice::cli {

/// "3 nets".
std::string with_plural(std::size_t count, const char* noun);

struct Showing {
  bool quiet = false;
  bool json = false;  ///< the summary
};

/// Writes models, summary and report of a run whose nets are trained, and shows what it came to; returns the exit code.
int finish_run(Run& run, const TrainingInfo& info, Showing showing);

/// Says how to go on; returns the exit code.
int say_interrupted(const Run& run);

}  // namespace coppice::cli
