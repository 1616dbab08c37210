#pragma once

#include "coppice/device/threads.h"
#include "coppice/training/population.h"
#include "coppice/training/trainer.h"

#include <memory>
#include <vector>

namespace coppice {

/// Nets on a GPU, which all take each step together. The pool's threads shuffle rows; the trainer judges.
/// Fails with a sentence if there is no GPU or its memory is too small.
std::unique_ptr<Population> make_cuda_population(ThreadPool& pool, const Trainer& trainer,
                                                 std::vector<NetData> data, std::vector<NetRun> runs);

}  // namespace coppice
