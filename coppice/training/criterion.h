#pragma once

#include "coppice/core/matrix.h"
#include "coppice/device/loss.h"
#include "coppice/training/net_run.h"
#include "coppice/training/trainer.h"

namespace coppice {

/// Whether few validation rows leave a metric few values, so that ties are many and any change counts.
bool is_coarse(Metric metric, std::size_t classes);

/// A coarse metric first; of equal ones the lower log-loss has the lower number. Only log-losses that differ by about
/// 1e-4 of their size do: the last digits never stop improving.
double with_ties_broken(double coarse, double log_loss);

/// What validation rows say of a state of a net: sums over all of them, and, if the metric needs them, their scores (a
/// row each, base rate included).
void set_validation(NetState& state, const LossSum& sum, const Matrix<float>& scores, const NetData& data,
                    const TrainingOptions& options);

}  // namespace coppice
