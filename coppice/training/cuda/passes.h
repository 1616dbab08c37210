#pragma once

#include "coppice/device/cuda/capnorm.h"
#include "coppice/device/cuda/loss.h"
#include "coppice/device/cuda/product.h"
#include "coppice/network/cuda/device_dataset.h"
#include "coppice/training/cuda/nets.h"

#include <cstddef>
#include <vector>

namespace coppice::cuda {

/// Rows of a data set, per net.
struct Rows {
  const DeviceDataset* data = nullptr;
  Pick pick{};
  Extent count{};
};

/// Forward and backward passes of all nets, enqueued and not waited for. Samples are columns, as on the CPU.
class Passes {
 public:
  /// batch: samples of a training step; wide: of any other pass.
  Passes(const Nets& nets, const Network<float>& like, Precision precision, std::size_t batch,
         std::size_t wide);

  std::size_t wide() const { return wide_; }

  /// offset: [net][output]; scale: per net, of the gradient.
  void set_loss(const float* offset, const float* scale) {
    offset_ = offset;
    scale_ = scale;
  }

  /// See Workspace::zero_units_learn.
  void let_zero_units_learn(bool learn) { zero_units_learn_ = learn; }

  /// Gradients of the loss over the rows, in the nets' memory; parts as `loss` leaves them. The weights'
  /// gradients are computed beside what follows them.
  void gradient(const Rows& rows, LossPart* parts, const Stream& stream, const Stream& beside) const;

  /// The normalisations' numbers over the rows, left for `evaluate`.
  void measure_statistics(const Rows& rows, const Stream& stream) const;
  /// Losses over the rows with those numbers.
  void evaluate(const Rows& rows, LossPart* parts, const Stream& stream) const;

 private:
  struct LayerBuffers {
    Array<float> y;
    Array<float> x;
    Array<float> gradient;
    Array<float> mean;
    Array<float> divisor;
    int parts = 1;  ///< that the forward product of a training step comes in
    Array<float> z_parts;
  };
  Product linear(std::size_t layer, const Rows& rows, std::size_t samples, float* to) const;
  UnitRows unit_rows(std::size_t layer, const Rows& rows, std::size_t samples) const;
  Scores scores(const float* from, const Rows& rows, std::size_t samples) const;
  Matrices activations(const Array<float>& of, std::size_t layer, std::size_t samples) const;
  float* output_of(std::size_t layer) const;
  bool batch_normed(std::size_t layer) const {
    return layer + 1 < buffers_.size() && (norm_ == Norm::batchnorm || norm_ == Norm::batchnorm_affine);
  }
  void forward(const Rows& rows, std::size_t samples, bool in_parts, const Stream& stream) const;
  void weight_gradient(std::size_t layer, const Rows& rows, const Stream& stream) const;

  const Nets* nets_;
  Norm norm_;
  bool output_capnorm_;
  Activation activation_;
  Precision precision_;
  std::size_t batch_;  ///< from row to row of the buffers in a training step
  std::size_t wide_;   ///< the same elsewhere
  const float* offset_ = nullptr;
  const float* scale_ = nullptr;
  bool zero_units_learn_ = false;
  std::vector<LayerBuffers> buffers_;
};

}  // namespace coppice::cuda
