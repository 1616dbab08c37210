#pragma once

#include "coppice/device/threads.h"
#include "coppice/training/population.h"
#include "coppice/training/trainer.h"

#include <memory>
#include <string>
#include <vector>

namespace coppice {

/// What decides whether a GPU can train a net.
struct WantedOfGpu {
  Norm norm = Norm::capnorm;
  bool fixed_size = false;
  double kink_step = 0;
  double output_scale_step = 0;
  std::size_t capnorm_rows = 0;
};

/// What of this the GPU cannot train with, as a sentence; empty if nothing.
inline std::string gpu_lacks(const WantedOfGpu& wanted) {
  if (wanted.kink_step > 0) return "the GPU has no `kink-step`";
  if (wanted.output_scale_step > 0) return "the GPU has no `output-scale-step`";
  if (wanted.capnorm_rows > 0) return "the GPU has no `capnorm-rows`";
  if (wanted.norm != Norm::batchnorm_affine || wanted.fixed_size) return {};
  return "the GPU trains with `norm` batchnorm-affine only if `fixed-size` is given";
}

/// Nets on a GPU, which all take each step together. The pool's threads shuffle rows; the trainer judges.
/// Fails with a sentence if there is no such GPU or its memory is too small.
std::unique_ptr<Population> make_cuda_population(ThreadPool& pool, const Trainer& trainer,
                                                 std::vector<NetData> data, std::vector<NetRun> runs,
                                                 std::size_t gpu = 0);

}  // namespace coppice
