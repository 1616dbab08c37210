#pragma once

#include "coppice/device/cuda/batch.h"
#include "coppice/device/cuda/runtime.h"
#include "coppice/device/cuda/weights.h"

namespace coppice::cuda {

/// Scores of every net, a row per output, a column per sample, and what they should be: labels, or targets of a
/// single output (coppice/device/loss.h says what is computed).
struct Scores {
  const float* scores = nullptr;
  std::size_t net_stride = 0;
  int stride = 0;
  int outputs = 0;
  const float* offset = nullptr;  ///< outputs numbers per net, added to the scores; may be null
  const std::uint32_t* labels = nullptr;
  const float* targets = nullptr;
  PickedRows pick{};  ///< which of the labels or targets
  Extent samples{};
  SampleWeights weights{};
  float smoothing = 0;  ///< of labels
};

constexpr unsigned loss_block = 128;

/// What a block of so many samples adds up, by weight.
struct LossPart {
  double loss = 0;
  double wrong = 0;
};

/// Number of parts that a net's samples are summed in.
int loss_parts(int samples);

/// parts[net * loss_parts(most) + i] receives the sums of block i, 0 beyond a net's samples. gradient (may be
/// null; as scores) receives scale[net] * d loss / d score.
void loss(const Scores& scores, const float* scale, float* gradient, LossPart* parts, std::size_t nets,
          const Stream& stream);

/// to[(net * outputs + k) * stride + from + i] = score k of sample i, offset included.
void keep_scores(const Scores& scores, float* to, std::size_t stride, std::size_t from, std::size_t nets,
                 const Stream& stream);

/// totals[net] += the `count` parts of each of its groups, in order; parts are [group][net][part].
void add_loss(const LossPart* parts, int groups, int count, LossPart* totals, std::size_t nets,
              const Stream& stream);

}  // namespace coppice::cuda
