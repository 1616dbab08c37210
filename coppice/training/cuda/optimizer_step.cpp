#include "coppice/training/cuda/optimizer_step.h"

#include "coppice/device/cuda/descent.h"
#include "coppice/device/cuda/shrink.h"
#include "coppice/network/cuda/device_dataset.h"

#include <span>
#include <vector>

namespace coppice::cuda {

namespace {

std::size_t inputs_of(const Nets& nets) {
  return static_cast<std::size_t>(nets.layer(0).inputs.most);
}

}  // namespace

OptimizerStep::OptimizerStep(const Nets& nets, const TrainingOptions& options, const Stream& stream)
    : nets_(&nets), options_(&options), by_layer_(nets.nets() * nets.layers()), tallies_(by_layer_.size()) {
  for (std::size_t l = 0; l < nets.layers(); ++l) {
    units_ += static_cast<int>(padded(static_cast<std::size_t>(nets.capacity(l)), unit_group));
  }
  const std::vector<double>& factors = options.regularizer.layer_factors;
  if (options.regularizer.fan == Fan::fan_out) {
    input_sizes_ = Array<double>(nets.nets() * inputs_of(nets));
  }
  if (!factors.empty()) factors_ = uploaded(std::span<const double>(factors), stream);
}

void OptimizerStep::begin(const Stream& stream) const {
  fill(by_layer_.data(), 0, by_layer_.bytes(), stream);
  fill(tallies_.data(), 0, tallies_.bytes(), stream);
}

void OptimizerStep::enqueue(const Now& now, const Stream& stream) const {
  const UnitSteps all{.layers = nets_->table(),
                      .layer_count = static_cast<int>(nets_->layers()),
                      .units = units_,
                      .sizes = now.sizes,
                      .factors = factors_.data(),
                      .samples = now.samples,
                      .failed = now.failed,
                      .first_step = now.first_step,
                      .step = static_cast<int>(now.step)};
  if (turns_fan_ins(options_->optimizer)) {
    adarad_step(all, stream);
  } else {
    descent_step(all, now.shrinks, stream);
  }
}

void OptimizerStep::adarad_step(const UnitSteps& all, const Stream& stream) const {
  const auto s = static_cast<std::size_t>(all.step);
  const AdaRadStep step{.all = all,
                        .mixing_rate = options_->mixing_rate,
                        .epsilon = options_->epsilon,
                        .before = nets_->largest() + s % 2 * nets_->nets(),
                        .after = nets_->largest() + (s + 1) % 2 * nets_->nets(),
                        .by_layer = by_layer_.data(),
                        .tallies = tallies_.data()};
  if (options_->optimizer == OptimizerKind::adarad_m) {
    adarad_m(step, options_->momentum_rate, nets_->nets(), stream);
  } else {
    adarad(step, nets_->nets(), stream);
  }
}

void OptimizerStep::descent_step(const UnitSteps& all, bool shrinks, const Stream& stream) const {
  descend({.all = all,
           .rule = options_->optimizer,
           .mean_rate = options_->momentum_rate,
           .square_rate = options_->mixing_rate,
           .epsilon = options_->epsilon},
          nets_->nets(), stream);
  if (!shrinks) return;
  shrink({.all = all,
          .fan_out = options_->regularizer.fan == Fan::fan_out,
          .single = options_->regularizer.power == 1,
          .input_sizes = input_sizes_.data(),
          .input_stride = inputs_of(*nets_)},
         nets_->views(), nets_->nets(), stream);
}

}  // namespace coppice::cuda
