#pragma once

#include "coppice/device/cuda/runtime.h"
#include "coppice/device/threads.h"
#include "coppice/training/trainer.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coppice::cuda {

/// In which order nets visit their rows. The host shuffles the next epoch's while the GPU computes.
class Orders {
 public:
  Orders(ThreadPool& pool, std::span<const NetData> data, std::span<const NetRun> runs);

  /// Shuffles and uploads the rows for the epoch after `ahead` more of those nets that are running.
  void prepare(std::span<const NetRun> runs, std::size_t ahead);
  /// Makes the orders of these epochs current, prepared or not, before what is enqueued next.
  void use(std::span<const NetRun> runs, const Stream& stream);

  const std::uint32_t* rows() const { return current_.data(); }
  std::size_t first(std::size_t net) const { return net * stride_; }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  ThreadPool* pool_;
  std::span<const NetData> data_;
  std::size_t stride_ = 0;
  std::vector<std::size_t> prepared_;  ///< epoch of each net's order in next_
  Stream copies_;
  Pinned<std::uint32_t> host_;
  Array<std::uint32_t> next_;
  Array<std::uint32_t> current_;
};

}  // namespace coppice::cuda
