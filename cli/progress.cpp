#include "cli/progress.h"

#include "coppice/report/table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

/// Epochs that the protocol takes at least from here: what is left of this phase's patience, and all later
/// phases'.
double epochs_to_go(const NetRun& run, const TrainingOptions& options) {
  if (!run.running()) return 0;
  double epochs = run.protocol.patience() - run.protocol.waited();
  if (run.protocol.phase() == Phase::grow) epochs += options.patience;
  if (run.protocol.phase() <= Phase::settle) epochs += options.patience;
  if (run.protocol.phase() <= Phase::polish) epochs += options.fine_patience;
  return epochs;
}

}  // namespace

Progress::Progress(std::size_t nets, std::size_t train_rows, const TrainingOptions& options,
                   double time_limit)
    : nets_(nets), train_rows_(train_rows), options_(options), time_limit_(time_limit) {}

double Progress::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Progress::on_epoch(const NetRun& run, const EpochReport& report) {
  if (run.id >= nets_.size()) nets_.resize(run.id + 1);  // a path or a search went on
  Net& net = nets_[run.id];
  net.epoch = run.epoch;
  net.running = run.running();
  net.phase = report.next_phase;
  net.error = run.kept.validation_error;
  net.units = report.hidden_units;
  net.to_go = std::min(epochs_to_go(run, options_),
                       static_cast<double>(options_.max_epochs) - static_cast<double>(run.epoch));
  ++epochs_here_;
  const bool last = std::ranges::none_of(nets_, &Net::running);
  if (last || status_.due()) status_.show(line());
}

/// How far the best net is; some nets may have failed, others not have begun.
std::string Progress::leader_text() const {
  const auto has_error = [](const Net& net) {
    return net.epoch > 0 && net.phase != Phase::failed && std::isfinite(net.error);
  };
  const auto leader = std::ranges::min_element(
      nets_, {}, [&](const Net& net) { return has_error(net) ? net.error : INFINITY; });
  if (has_error(*leader)) {
    std::string units;
    for (const std::size_t count : leader->units) {
      if (!units.empty()) units += '-';
      units += std::to_string(count);
    }
    return fmt::format("epoch {}  {}  units {}  error {:.4f}", leader->epoch, phase_name(leader->phase),
                       units, leader->error);
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
  std::size_t finished = 0;
  for (const Net& net : nets_) {
    to_go += net.epoch == 0 ? options_.patience : net.to_go;
    done += static_cast<double>(net.epoch);
    finished += net.running ? 0 : 1;
  }
  const double pace = static_cast<double>(epochs_here_) / std::max(1e-9, seconds());
  const double left = std::min(to_go / pace, time_limit_ - seconds());
  std::string text = bar(done / std::max(1.0, done + to_go));
  if (nets_.size() > 1) text += fmt::format(" nets {}/{}", finished, nets_.size());
  text += fmt::format("  {}  {} rows/s", leader_text(), rate_text(pace * static_cast<double>(train_rows_)));
  if (finished < nets_.size()) text += fmt::format("  at least {} to go", duration_text(left));
  return text;
}

}  // namespace coppice::cli
