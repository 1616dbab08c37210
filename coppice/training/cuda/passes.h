#pragma once

#include "coppice/device/cuda/capnorm.h"
#include "coppice/device/cuda/loss.h"
#include "coppice/device/cuda/product.h"
#include "coppice/network/cuda/device_dataset.h"
#include "coppice/training/cuda/nets.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace coppice::cuda {

/// Rows of a data set, per net.
struct Rows {
  const DeviceDataset* data = nullptr;
  PickedRows pick{};
  Extent count{};
};

/// Samples that a net's training step takes.
struct BatchSizes {
  std::size_t least = 0;
  std::size_t most = 0;
};

/// Forward and backward passes of all nets, enqueued and not waited for. Samples are columns, as on the CPU.
class Passes {
 public:
  /// wide: samples of a pass that is no training step; validation: of all of them together.
  Passes(const Nets& nets, const Network<float>& like, Precision precision, const BatchSizes& batches,
         std::size_t wide, std::size_t validation);

  std::size_t wide() const { return wide_; }

  /// offset: [net][output]; scale: per net, of the gradient.
  void set_loss(const float* offset, const float* scale) {
    offset_ = offset;
    scale_ = scale;
  }

  /// From now on no layer is narrower than that. Whether passes are enqueued differently from now on.
  bool expect_widths(std::span<const int> least);

  /// Rows may have weights from now on: makes room for them.
  void take_weights() { weights_ = Array<float>(nets_->nets() * std::max(batch_, wide_)); }

  /// See Workspace::zero_units_learn.
  void let_zero_units_learn(bool learn) { zero_units_learn_ = learn; }
  /// Of the loss that gradients are taken of.
  void smooth_labels(float smoothing) { label_smoothing_ = smoothing; }

  /// Gradients of the loss over the rows, in the nets' memory; parts as `loss` leaves them. The weights'
  /// gradients are computed beside what follows them.
  void gradient(const Rows& rows, LossPart* parts, const Stream& stream, const Stream& beside) const;

  /// The normalisations' numbers over the rows, left for `evaluate`.
  void measure_statistics(const Rows& rows, const Stream& stream) const;
  /// Losses over the rows with those numbers.
  void evaluate(const Rows& rows, LossPart* parts, const Stream& stream) const;
  /// The scores of the rows that were evaluated last (see keep_scores in loss.h).
  void keep_scores(const Rows& rows, float* to, std::size_t stride, std::size_t from,
                   const Stream& stream) const;

 private:
  struct LayerBuffers {
    Array<float> y;
    Array<float> x;
    Array<float> gradient;
    Array<float> mean;
    Array<float> divisor;
    Array<float> deviation;  ///< of units whose kinks have offsets
    Cut cut{};               ///< of the forward product of a training step
    int parts = 1;           ///< that come of it at most, as wide as nets are now
    int gradient_parts = 1;  ///< the same of the weights' gradient
    Array<float> z_parts;
  };
  Product linear(std::size_t layer, const Rows& rows, std::size_t samples, float* to) const;
  UnitRows unit_rows(std::size_t layer, const Rows& rows, std::size_t samples) const;
  Scores scores(const float* from, const Rows& rows, std::size_t samples) const;
  SampleWeights weights(const Rows& rows, std::size_t samples) const;
  void gather_weights(const Rows& rows, std::size_t samples, const Stream& stream) const;
  Matrices activations(const Array<float>& of, std::size_t layer, std::size_t samples) const;
  float* output_of(std::size_t layer) const;
  bool batch_normed(std::size_t layer) const {
    return layer + 1 < buffers_.size() && (norm_ == Norm::batchnorm || norm_ == Norm::batchnorm_affine);
  }
  void forward(const Rows& rows, std::size_t samples, bool training, const Stream& stream) const;
  void weight_gradient(std::size_t layer, const Rows& rows, const Stream& stream) const;

  const Nets* nets_;
  Norm norm_;
  bool output_capnorm_;
  Activation activation_;
  Precision precision_;
  std::size_t batch_;  ///< from row to row of the buffers in a training step
  std::size_t wide_;   ///< the same elsewhere
  Load training_load_;
  Load validation_load_;
  const float* offset_ = nullptr;
  const float* scale_ = nullptr;
  bool zero_units_learn_ = false;
  float label_smoothing_ = 0;
  std::vector<LayerBuffers> buffers_;
  Array<float> weights_;  ///< of the samples of the pass that was enqueued last
};

}  // namespace coppice::cuda
