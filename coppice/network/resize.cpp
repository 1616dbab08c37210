#include "coppice/network/resize.h"

#include <algorithm>

namespace coppice {

template <class T>
void resize(Network<T>& network, const ResizePlan& plan) {
  Layer<T>& layer = network.layers[plan.layer];
  Matrix<T>& above = network.layers[plan.layer + 1].weights;
  if (plan.keep.size() != layer.weights.rows()) {
    layer.weights.keep_rows(plan.keep);
    above.keep_cols(plan.keep);
  }
  if (!layer.affine.empty()) {
    layer.affine.keep_rows(plan.keep);
    layer.affine.add_rows(plan.added.size());
    for (std::size_t j = plan.keep.size(); j < layer.affine.rows(); ++j) layer.affine(j, 0) = 1;
  }
  if (!layer.kinks.empty()) resize_entries(layer.kinks, plan);
  layer.weights.add_rows(plan.added.size());
  above.add_cols(plan.added.size());
  resize_entries(layer.units, plan);
  std::ranges::copy(plan.added, layer.units.begin() + static_cast<std::ptrdiff_t>(plan.keep.size()));
}

template void resize(Network<float>&, const ResizePlan&);
template void resize(Network<double>&, const ResizePlan&);

}  // namespace coppice
