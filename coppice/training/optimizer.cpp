#include "coppice/training/optimizer.h"

#include "coppice/core/fail.h"
#include "coppice/training/adam.h"
#include "coppice/training/adarad.h"
#include "coppice/training/adarad_m.h"
#include "coppice/training/momentum.h"
#include "coppice/training/sgd.h"

namespace coppice {

namespace {

template <class T>
void resize_rows(Matrix<T>& matrix, const ResizePlan& plan) {
  if (matrix.empty()) return;
  matrix.keep_rows(plan.keep);
  matrix.add_rows(plan.added.size());
}

template <class T>
void resize_cols(Matrix<T>& matrix, const ResizePlan& plan) {
  if (matrix.empty()) return;
  matrix.keep_cols(plan.keep);
  matrix.add_cols(plan.added.size());
}

}  // namespace

template <class T>
void OptimizerStateOf<T>::resize(const ResizePlan& plan) {
  LayerState& layer = layers[plan.layer];
  resize_entries(layer.average, plan);
  resize_entries(layer.capacity, plan);
  if (!layer.mean_capacity.empty()) resize_entries(layer.mean_capacity, plan);
  resize_rows(layer.mean, plan);
  resize_rows(layer.square, plan);
  resize_rows(layer.affine_mean, plan);
  resize_rows(layer.affine_square, plan);
  if (!layer.kink_average.empty()) resize_entries(layer.kink_average, plan);
  if (!seen.empty()) resize_entries(seen[plan.layer], plan);
  LayerState& above = layers[plan.layer + 1];
  resize_cols(above.mean, plan);
  resize_cols(above.square, plan);
}

template struct OptimizerStateOf<float>;
template struct OptimizerStateOf<double>;

std::unique_ptr<Optimizer<float>> make_optimizer(const TrainingOptions& options) {
  const double mean_rate = options.momentum_rate;
  switch (options.optimizer) {
    case OptimizerKind::adarad:
      return std::make_unique<AdaRad<float>>(options.mixing_rate, options.epsilon, options.regularizer);
    case OptimizerKind::adarad_m:
      return std::make_unique<AdaRadM<float>>(mean_rate, options.mixing_rate, options.epsilon,
                                              options.regularizer);
    case OptimizerKind::sgd:
      return std::make_unique<Sgd<float>>(options.regularizer);
    case OptimizerKind::momentum:
      return std::make_unique<Momentum<float>>(mean_rate, false, options.regularizer);
    case OptimizerKind::nesterov:
      return std::make_unique<Momentum<float>>(mean_rate, true, options.regularizer);
    case OptimizerKind::rmsprop:
      return std::make_unique<RmsProp<float>>(options.mixing_rate, options.epsilon, options.regularizer);
    case OptimizerKind::adam:
      return std::make_unique<Adam<float>>(mean_rate, options.mixing_rate, options.epsilon,
                                           options.regularizer);
  }
  fail("no such optimizer");
}

}  // namespace coppice
