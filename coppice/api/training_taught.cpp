#include "coppice/api/training.h"

#include <algorithm>
#include <utility>

// The rounds in which an ensemble teaches one net.
namespace coppice {

std::size_t Training::first_taught() const {
  return static_cast<std::size_t>(std::ranges::find_if(planned_, &PlannedNet::taught) - planned_.begin());
}

PlanOptions Training::taught_options() const {
  PlanOptions options = path_options();
  options.folds = 0;
  options.rows = lesson_rows(data_.rows.size());
  return options;
}

void Training::attend(const Model& teacher) {
  const WithArithmetic as_asked(arithmetic_of(options_));
  if (!lessons_) lessons_ = lessons(pool_, data_, teacher, *options_.seed);
}

/// A path of nets as ever, but of what the ensemble knows.
std::vector<PlannedNet> Training::taught_round() {
  if (!teacher_) {
    Result result;
    measure_nets(result, [] {});
    std::optional<Ensemble> ensemble = ensemble_in(result);
    if (!ensemble) return {};
    attend(ensemble->measured.model);
    MeasuredNet exam = take_exam(pool_, *lessons_, ensemble->measured.model, *options_.metric);
    teacher_ = {.ensemble = std::move(ensemble->measured),
                .judges = std::move(ensemble->net.judges),
                .exam = std::move(exam)};
  }
  const std::size_t first = first_taught();
  const PlanOptions options = taught_options();
  std::vector<PlannedNet> planned =
      first == planned_.size() ? first_nets(options) : next_nets(options, trained_nets(true));
  for (PlannedNet& net : planned) {
    net.taught = true;
    if (net.warm_from) *net.warm_from += first;
  }
  return planned;
}

}  // namespace coppice
