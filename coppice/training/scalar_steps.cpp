#include "coppice/training/scalar_steps.h"

#include "coppice/core/elementary.h"
#include "coppice/device/adarad_unit.h"

#include <algorithm>
#include <cmath>

namespace coppice {

namespace {

/// g over the root of its running mean square, which it is taken into; nothing has been learned from a gradient of zero.
double normalised(double gradient, double rate, double& average, double capacity) {
  average = (1 - rate) * average + rate * gradient * gradient;
  return gradient == 0 ? 0 : gradient / std::sqrt(average / capacity);
}

}  // namespace

template <class T>
void remember_more(const Network<T>& network, const TrainingOptions& options, OptimizerStateOf<T>& state) {
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const std::size_t units = network.layers[l].weights.rows();
    if (options.kink_step > 0) state.layers[l].kink_average.resize(network.layers[l].kinks.size());
    if (options.capnorm_rows > 0) state.seen.emplace_back(units);
  }
  if (options.output_scale_step > 0) state.output_scale.emplace();
}

template <class T>
void move_scalars(const TrainingOptions& options, const StepSizes& sizes, const Workspace<T>& workspace,
                  Network<T>& network, OptimizerStateOf<T>& state) {
  const double rate = options.mixing_rate;
  const double angle = sizes.angular * angular_norm(sizes, state.largest_average, state.largest_capacity);
  for (std::size_t l = 0; options.kink_step > 0 && l < network.layers.size(); ++l) {
    std::vector<T>& kinks = network.layers[l].kinks;
    typename OptimizerStateOf<T>::LayerState& layer = state.layers[l];
    for (std::size_t j = 0; j < kinks.size(); ++j) {
      const double g = workspace.layers[l].kink_gradient[j];
      const double step =
          options.kink_step * angle * normalised(g, rate, layer.kink_average[j], layer.capacity[j]);
      kinks[j] =
          static_cast<T>(std::clamp(static_cast<double>(kinks[j]) - step, -farthest_kink, farthest_kink));
    }
  }
  if (!state.output_scale) return;
  auto& [average, capacity] = *state.output_scale;
  capacity = (1 - rate) * capacity + rate;
  const double g = normalised(workspace.output_scale_gradient, rate, average, capacity);
  network.output_scale *= static_cast<T>(elementary::exp(-options.output_scale_step * angle * g));
}

template void remember_more(const Network<float>&, const TrainingOptions&, OptimizerStateOf<float>&);
template void remember_more(const Network<double>&, const TrainingOptions&, OptimizerStateOf<double>&);
template void move_scalars(const TrainingOptions&, const StepSizes&, const Workspace<float>&, Network<float>&,
                           OptimizerStateOf<float>&);
template void move_scalars(const TrainingOptions&, const StepSizes&, const Workspace<double>&,
                           Network<double>&, OptimizerStateOf<double>&);

}  // namespace coppice
