#pragma once

#include "coppice/core/choices.h"
#include "coppice/device/activation.h"
#include "coppice/device/product.h"
#include "coppice/network/network.h"
#include "coppice/training/course.h"
#include "coppice/training/regularizer.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace coppice {

/// Whether it turns fan-ins by angles; the others move them by one step size.
constexpr bool turns_fan_ins(OptimizerKind kind) {
  return kind == OptimizerKind::adarad || kind == OptimizerKind::adarad_m;
}

/// How networks are trained. Defaults are the paper's (its table 3). Lambda and seed belong to each net, not
/// here.
struct TrainingOptions {
  std::size_t hidden_layers = 2;
  std::size_t start_units = 10;
  std::vector<std::size_t> fixed_size;  ///< hidden units of a net that does not grow; empty: it sizes itself
  Norm norm = Norm::capnorm;
  Activation activation = Activation::relu;
  bool output_capnorm = true;
  double kinks = 0;      ///< deviation of the offsets of hidden units' kinks, in deviations of their inputs
  double kink_step = 0;  ///< by how much kinks move, as a part of the angle that units turn by
  double output_scale_step = 0;  ///< the same of the logarithm of a factor on the outputs; 0: it is 1
  std::size_t capnorm_rows = 0;  ///< that CapNorm's statistics reach back over; 0: those of the batch
  bool capped_batchnorm = false;
  bool prior_offset = true;
  Metric metric = Metric::error;
  bool break_ties = false;             ///< of metrics that know few values, by the log-loss
  std::optional<Precision> precision;  ///< of the products of training and validation; none: the device's own

  OptimizerKind optimizer = OptimizerKind::adarad;
  Regularizer regularizer;
  double angular_step = 30;   ///< alpha_phi
  double angle = 0;           ///< radians a unit turns by per iteration; 0: alpha_phi decides
  double unit_lifetime = 50;  ///< epochs a unit of length 1 lives without a useful gradient
  double radial_step = 0;     ///< alpha_r; 0: 1 / (unit_lifetime * lambda)
  double add_units = 1;       ///< nu: not whole: Poisson(nu)
  double additions_per_epoch = 1;
  double step = 0;             ///< of optimizers without angles; 0: first_step() has a default
  double mixing_rate = 0.005;  ///< beta, of running means of squares
  double momentum_rate = 0.1;  ///< of running means of gradients
  double epsilon = 1e-8;
  double trust_region = 0;          ///< c: radial factors stay in [1/c, c]; 0: they may be anything
  double relative_epsilon = 0;      ///< of angular parts, as a share of the net's largest
  bool relative_shrinkage = false;  ///< of fan-ins longer than 1: by a share of their length
  RadialRule radial_rule = RadialRule::linear;
  double peak_half_life = 0;   ///< epochs, of the net's largest mean angular part; 0: it is never forgotten
  double label_smoothing = 0;  ///< share of a label that all classes get, in training alone
  std::size_t batch_size = 1000;

  std::size_t grow_epochs = 0;  ///< epochs that grow lasts; 0: until patience ends it
  std::size_t softenings = 0;   ///< see ProtocolOptions
  double patience = 100;        ///< epochs
  double settle_epochs = std::numeric_limits<double>::infinity();  ///< the most that settle lasts
  double fine_patience = 5;  ///< epochs; below 1: validation after that part of an epoch
  Course course;             ///< instead of the protocol
  std::size_t nets_together =
      0;  ///< that a GPU is to expect, which decides how it computes; 0: as many as there are
  std::size_t max_epochs = std::numeric_limits<std::size_t>::max();
  std::size_t max_steps = std::numeric_limits<std::size_t>::max();
  Keep keep = Keep::best;

  /// CapNorm follows the output layer too; behind other normalisations only if that is asked for.
  bool caps_output() const { return output_capnorm && (norm == Norm::capnorm || capped_batchnorm); }
};

}  // namespace coppice
