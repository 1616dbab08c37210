#include "coppice/training/optimizer.h"

#include "coppice/core/error.h"
#include "coppice/training/adarad.h"
#include "coppice/training/sgd.h"

namespace coppice {

void OptimizerState::resize(const ResizePlan& plan) {
  resize_entries(layers[plan.layer].average, plan);
  resize_entries(layers[plan.layer].capacity, plan);
}

std::unique_ptr<Optimizer<float>> make_optimizer(const TrainingOptions& options) {
  if (options.optimizer == "adarad") {
    return std::make_unique<AdaRad<float>>(options.mixing_rate, options.epsilon);
  }
  if (options.optimizer == "sgd") return std::make_unique<Sgd<float>>();
  fail("--optimizer {}: no such optimizer; use adarad or sgd", options.optimizer);
}

}  // namespace coppice
