#include "coppice/reproduce/progress.h"

#include "coppice/search/trial.h"

#include <fmt/format.h>

namespace coppice::reproduce {

void ProgressLines::on_epoch(const NetRun& run, const EpochReport& report) {
  if (!run.running()) ++ended_;
  const auto now = std::chrono::steady_clock::now();
  if (now - said_ < std::chrono::seconds(10)) return;
  said_ = now;
  session_->say(fmt::format("{}: {} of {} nets ended; net {} in epoch {}, {}, units {}, error {:.4f}", name_,
                            ended_, nets_, run.id, run.epoch, phase_name(report.next_phase),
                            size_text(report.hidden_units), report.validation_error));
}

}  // namespace coppice::reproduce
