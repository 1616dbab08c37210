#include "cli/search_progress.h"

#include "coppice/core/names.h"
#include "coppice/core/text.h"
#include "coppice/run/summary.h"

#include "cli/flags.h"
#include "cli/results.h"
#include "cli/streams.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

constexpr auto first_pause = std::chrono::seconds(1);  ///< before that the time to go would be a wild guess

double weights_of(const std::vector<std::size_t>& hidden, std::size_t inputs, std::size_t outputs) {
  double weights = 0;
  std::size_t below = inputs;
  for (const std::size_t units : hidden) {
    weights += static_cast<double>(below * units);
    below = units;
  }
  return weights + static_cast<double>(below * outputs);
}

}  // namespace

SearchProgress::SearchProgress(const SearchInfo& info)
    : task_(info.task), inputs_(info.inputs), outputs_(info.outputs) {
  const double all = *info.options.patience + *info.options.fine_patience;
  const double most = info.options.max_epochs ? static_cast<double>(*info.options.max_epochs) : all;
  fewest_epochs_ = std::min(all, most);
}

void SearchProgress::on_begin(std::span<const Trial> trials, std::size_t known) {
  nets_.clear();
  for (const Trial& trial : trials)
    nets_.push_back({.weights = weights_of(trial.hidden, inputs_, outputs_), .epochs = 0, .ended = false});
  known_ = known;
  ended_ = 0;
  epochs_of_ended_ = 0;
  start_ = std::chrono::steady_clock::now();
}

void SearchProgress::on_epoch(const EpochReport& report) {
  nets_[report.net].epochs += 1;
  nets_[report.net].ended = !report.running;
  const bool settled = std::chrono::steady_clock::now() - start_ > first_pause;
  if (report.running && settled && status_.due()) status_.show(line());
}

void SearchProgress::on_result(const TrialResult& result) {
  ++ended_;
  epochs_of_ended_ += static_cast<double>(result.epochs);
  const bool better = !result.failed() && (!best_ || result.criterion < best_->criterion);
  if (better) best_ = result;
  if (ended_ == nets_.size() || status_.due()) status_.show(line());
}

void SearchProgress::on_note(const std::string& note) {
  status_.end();
  say_line(with_dashes(note));
}

/// Nets to come are taken to need as many epochs as those that ended did, and epochs to cost as their weights do.
std::string SearchProgress::line() const {
  const double usual = ended_ > 0 ? epochs_of_ended_ / static_cast<double>(ended_) : fewest_epochs_;
  double done = 0;
  double to_go = 0;
  for (const Net& net : nets_) {
    done += net.epochs * net.weights;
    if (!net.ended) to_go += std::max(1.0, usual - net.epochs) * net.weights;
  }
  std::string text = fmt::format("{} nets {}/{}", bar(done / std::max(1.0, done + to_go)), known_ + ended_,
                                 known_ + nets_.size());
  if (best_) {
    text += fmt::format("  best {} ({} {:.3g} {} {})", error_text(task_, best_->validation_error),
                        name_of(best_->trial.optimizer), best_->trial.step, name_of(best_->trial.norm),
                        size_text(best_->trial.hidden));
  }
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
  if (done > 0 && ended_ < nets_.size()) {
    text += fmt::format("  {} {} to go", ended_ > 0 ? "about" : "at least",
                        duration_text(passed.count() * to_go / done));
  }
  return text;
}

}  // namespace coppice::cli
