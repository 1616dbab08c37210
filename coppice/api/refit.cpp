#include "coppice/api/refit.h"

#include "coppice/analysis/answers.h"
#include "coppice/api/plan.h"
#include "coppice/model/parts.h"

#include <cmath>
#include <utility>

namespace coppice {

bool may_refit(const NetResult& best, double base, std::size_t rows) {
  constexpr double much_learned = 0.5;  // of the base's criterion is left
  const bool lacks_rows = best.members.empty() || rows > few_rows;
  return lacks_rows && best.criterion.value_or(HUGE_VAL) < much_learned * base;
}

MeasuredNet refitted(ThreadPool& pool, const Trainer& trainer, const NetRun& run, const PreparedData& data,
                     NetShare share, const NetResult& before, const Model& model) {
  const NetData rows = data.net_data(run.seed, share);
  Workspace<float> workspace;
  ModelParts parts = model.parts();
  parts.network = run.kept.network;
  parts.statistics = trainer.statistics(parts.network, rows, workspace);
  parts.origin.epochs += run.epoch;
  parts.origin.train_rows = rows.train_rows.size();
  parts.origin.train_loss = run.kept.train_loss;
  if (data.has_test()) {
    const Dataset& test = data.tables(share.plain).test_set();
    parts.origin.test_error =
        ask(pool, Model(parts).folded(), test, data.all_test_rows()).metrics(parts, Metric::error).error;
  }
  const std::optional<double> test_error = parts.origin.test_error;
  return {.model = Model(std::move(parts)),
          .validation_error = before.validation_error,
          .standard_error = before.standard_error,
          .log_loss = before.log_loss,
          .log_loss_deviation = before.log_loss_deviation,
          .criterion = before.criterion.value(),
          .criterion_deviation = before.criterion_deviation,
          .test_error = test_error,
          .one_answer = before.one_answer};
}

}  // namespace coppice
