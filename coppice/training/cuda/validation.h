#pragma once

#include "coppice/training/cuda/passes.h"
#include "coppice/training/trainer.h"

#include <span>
#include <vector>

namespace coppice::cuda {

/// The rows that validations look at: each net's own, taken in chunks.
class Validation {
 public:
  /// wide: the most samples of a pass; outputs: of a net whose scores are kept, 0 if they are not.
  Validation(std::span<const NetData> data, const DeviceDataset& train, const DeviceDataset& validation,
             std::size_t wide, std::size_t outputs, const Stream& stream);

  /// Rows of nets that are not active are left out.
  void set_active(const std::vector<bool>& active, const Stream& stream);

  /// totals[net] += loss and wrong rows of every active net.
  void enqueue(const Passes& passes, LossPart* totals, const Stream& stream) const;

  /// Of the validation before, if they are kept: [net][output][row], score_stride() numbers from output to output.
  const Array<float>& scores() const { return scores_; }
  std::size_t score_stride() const { return stride_; }

 private:
  struct Chunk {
    std::vector<int> counts;  ///< per net
    Array<std::uint32_t> first;
    Pinned<int> host_count;
    Array<int> count;
    int most = 0;  ///< that one net has
  };
  Chunk make_chunk(std::span<const NetData> data, bool training, std::size_t from, std::size_t size,
                   const Stream& stream) const;
  static Rows rows_of(const DeviceDataset& data, const Array<std::uint32_t>& all, const Chunk& chunk);

  std::size_t nets_;
  const DeviceDataset* train_;
  const DeviceDataset* validation_;
  std::size_t wide_;
  std::size_t stride_ = 0;  ///< from net to net in the lists of rows
  Array<std::uint32_t> train_rows_;
  Array<std::uint32_t> validation_rows_;
  Chunk statistics_;
  std::vector<Chunk> chunks_;
  Array<LossPart> parts_;
  Array<float> scores_;
};

}  // namespace coppice::cuda
