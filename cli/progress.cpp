#include "cli/progress.h"

#include "coppice/core/text.h"

#include "cli/results.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice::cli {

double Progress::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Progress::on_epoch(const EpochReport& report) {
  if (report.net >= nets_.size()) nets_.resize(report.net + 1);  // a path or a search went on
  Net& net = nets_[report.net];
  net.epoch = report.epoch;
  net.running = report.running;
  net.phase = report.next_phase;
  net.error = report.kept_error;
  net.units = report.hidden_units;
  net.to_go = report.to_go;
  ++epochs_here_;
  const bool last = std::ranges::none_of(nets_, &Net::running);
  if (last || status_.due()) status_.show(line());
}

void Progress::on_note(const std::string& note) {
  status_.end();
  print_warnings({note});
}

/// How far the best net is; some nets may have failed, others not have begun.
std::string Progress::leader_text() const {
  const auto has_error = [](const Net& net) {
    return net.epoch > 0 && net.phase != Phase::failed && std::isfinite(net.error);
  };
  const auto leader = std::ranges::min_element(
      nets_, {}, [&](const Net& net) { return has_error(net) ? net.error : INFINITY; });
  if (has_error(*leader)) {
    return fmt::format("epoch {}  {}  units {}  error {:.4f}", leader->epoch, phase_name(leader->phase),
                       size_text(leader->units), leader->error);
  }
  const auto failed = std::ranges::count(nets_, Phase::failed, &Net::phase);
  if (failed == 0) return "no error yet";
  return nets_.size() == 1 ? "failed" : fmt::format("{} failed", failed);
}

/// The time to go is a lower bound: a better validation error starts the patience anew, so nobody can know
/// more.
std::string Progress::line() const {
  double to_go = 0;
  double done = 0;
  double shortest = HUGE_VAL;  // of the nets that have begun: the others take no less
  std::size_t waiting = 0;
  std::size_t finished = 0;
  for (const Net& net : nets_) {
    const auto epochs = static_cast<double>(net.epoch);
    to_go += net.to_go;
    done += epochs;
    if (net.epoch > 0) shortest = std::min(shortest, epochs + net.to_go);
    waiting += net.epoch == 0 ? 1 : 0;
    finished += net.running ? 0 : 1;
  }
  if (waiting > 0) to_go += static_cast<double>(waiting) * shortest;
  const double pace = static_cast<double>(epochs_here_) / std::max(1e-9, seconds());
  const double left = std::min(to_go / pace, info_.options.time_limit.value_or(INFINITY) - seconds());
  std::string text = bar(done / std::max(1.0, done + to_go));
  if (nets_.size() > 1) text += fmt::format(" nets {}/{}", finished, nets_.size());
  text +=
      fmt::format("  {}  {} rows/s", leader_text(), rate_text(pace * static_cast<double>(info_.train_rows)));
  if (finished < nets_.size()) text += fmt::format("  at least {} to go", duration_text(left));
  return text;
}

}  // namespace coppice::cli
