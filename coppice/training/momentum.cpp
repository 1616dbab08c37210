#include "coppice/training/momentum.h"

#include "coppice/device/weight_rows.h"
#include "coppice/training/parameters.h"
#include "coppice/training/shrink.h"

namespace coppice {

template <class T>
bool Momentum<T>::step(ThreadPool& pool, Network<T>& network, Workspace<T>& workspace, const StepSizes& sizes,
                       OptimizerStateOf<T>& state, DeadUnits& dead) const {
  const double alpha = sizes.radial;
  const MomentumStep step{.rate = mean_rate_,
                          .m_step = nesterov_ ? alpha * (1 - mean_rate_) : alpha,
                          .g_step = nesterov_ ? alpha * mean_rate_ : 0};
  for_parameters(pool, network, workspace, state, [&](const ParameterTile<T>& tile) {
    momentum_rows(tile.values, tile.mean, tile.gradient, step);
  });
  return shrink(pool, network, regularizer_, sizes.shrinkage, dead);
}

template class Momentum<float>;
template class Momentum<double>;

}  // namespace coppice
