#include "coppice/training/cuda/optimizer_step.h"

#include "coppice/core/error.h"
#include "coppice/device/cuda/descent.h"
#include "coppice/network/cuda/device_dataset.h"

namespace coppice::cuda {

namespace {

Descent rule_of(OptimizerKind optimizer) {
  switch (optimizer) {
    case OptimizerKind::sgd:
      return Descent::sgd;
    case OptimizerKind::momentum:
      return Descent::momentum;
    case OptimizerKind::nesterov:
      return Descent::nesterov;
    case OptimizerKind::rmsprop:
      return Descent::rmsprop;
    case OptimizerKind::adam:
      return Descent::adam;
    case OptimizerKind::adarad:
    case OptimizerKind::adarad_m:
      break;
  }
  fail("GPU: an optimizer that turns fan-ins is no descent");
}

}  // namespace

OptimizerStep::OptimizerStep(const Nets& nets, const TrainingOptions& options)
    : nets_(&nets), options_(&options), by_layer_(nets.nets() * nets.layers()) {
  for (std::size_t l = 0; l < nets.layers(); ++l) {
    units_ += static_cast<int>(padded(static_cast<std::size_t>(nets.capacity(l)), unit_group));
  }
}

void OptimizerStep::begin(const Stream& stream) const {
  fill(by_layer_.data(), 0, by_layer_.bytes(), stream);
}

void OptimizerStep::enqueue(const Now& now, const Stream& stream) const {
  const UnitSteps all{.layers = nets_->table(),
                      .layer_count = static_cast<int>(nets_->layers()),
                      .units = units_,
                      .sizes = now.sizes,
                      .samples = now.samples,
                      .failed = now.failed,
                      .first_step = now.first_step,
                      .step = static_cast<int>(now.step)};
  turns_fan_ins(options_->optimizer) ? adarad_step(all, stream) : descent_step(all, stream);
}

void OptimizerStep::adarad_step(const UnitSteps& all, const Stream& stream) const {
  const auto s = static_cast<std::size_t>(all.step);
  adarad({.all = all,
          .mixing_rate = options_->mixing_rate,
          .epsilon = options_->epsilon,
          .before = nets_->largest() + s % 2 * nets_->nets(),
          .after = nets_->largest() + (s + 1) % 2 * nets_->nets(),
          .by_layer = by_layer_.data()},
         nets_->nets(), stream);
}

void OptimizerStep::descent_step(const UnitSteps& all, const Stream& stream) const {
  descend({.all = all,
           .rule = rule_of(options_->optimizer),
           .mean_rate = options_->momentum_rate,
           .square_rate = options_->mixing_rate,
           .epsilon = options_->epsilon},
          nets_->nets(), stream);
}

}  // namespace coppice::cuda
