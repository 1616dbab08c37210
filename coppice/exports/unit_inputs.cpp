#include "coppice/exports/unit_inputs.h"

#include <algorithm>

namespace coppice {

std::vector<bool> unit_inputs(const LoweredModel& model) {
  std::vector<bool> unit(model.inputs.size());
  for (const Feature& feature : model.features) {
    const bool category = feature.part == CellPart::category;
    for (std::size_t i = category ? 0 : 1; i < feature.inputs; ++i) unit[feature.first_input + i] = true;
  }
  return unit;
}

void rescale_inputs(LoweredModel& model, const std::vector<InputScale>& scales) {
  for (LoweredNet& net : model.nets) {
    DenseLayer& first = net.layers.front();
    for (std::size_t j = 0; j < first.units(); ++j) {
      double bias = first.bias[j];
      for (std::size_t i = 0; i < net.inputs.size(); ++i) {
        const InputScale& before = model.inputs[net.inputs[i]];
        const InputScale& after = scales[net.inputs[i]];
        // old = (raw - o) f = new f / f' + (o' - o) f
        const double weight = first.weights(j, i);
        const double shift = static_cast<double>(after.offset) - before.offset;
        bias += weight * shift * before.factor;
        first.weights(j, i) = static_cast<float>(weight * before.factor / after.factor);
      }
      first.bias[j] = static_cast<float>(bias);
    }
  }
  model.inputs = scales;
}

void fold_unit_inputs(LoweredModel& model) {
  const std::vector<bool> unit = unit_inputs(model);
  std::vector<InputScale> scales = model.inputs;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    if (unit[i]) scales[i] = {scales[i].name, scales[i].offset > 0.5F ? 1.0F : 0.0F, 1};
  }
  // A bin is never more than the one before it: those that are counted from 1 come first.
  for (const Feature& feature : model.features) {
    for (std::size_t t = 1; t < feature.bins(); ++t) {
      float& offset = scales[feature.first_bin() + t].offset;
      offset = std::min(offset, scales[feature.first_bin() + t - 1].offset);
    }
  }
  rescale_inputs(model, scales);
}

}  // namespace coppice
