#include "cli/progress.h"

#include "coppice/report/table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

constexpr auto terminal_pause = std::chrono::milliseconds(100);
constexpr auto plain_pause = std::chrono::seconds(10);
constexpr std::size_t bar_width = 16;

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

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 100;
}

/// "905k", "1.2M".
std::string rate_text(double rate) {
  return rate < 1e6 ? fmt::format("{:.0f}k", rate / 1e3) : fmt::format("{:.1f}M", rate / 1e6);
}

std::string bar(double share) {
  const auto full = static_cast<std::size_t>(share * bar_width);
  std::string text = "[";
  for (std::size_t i = 0; i < bar_width; ++i) text += i < full ? '#' : '.';
  return text + "]";
}

}  // namespace

Progress::Progress(std::size_t nets, std::size_t train_rows, const TrainingOptions& options,
                   double time_limit)
    : nets_(nets),
      train_rows_(train_rows),
      options_(options),
      time_limit_(time_limit),
      terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (terminal_ && drawn_width_ > 0) fmt::print(stderr, "\n");
}

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
  const auto now = std::chrono::steady_clock::now();
  if (!last && now - drawn_ < (terminal_ ? std::chrono::nanoseconds(terminal_pause) : plain_pause)) return;
  drawn_ = now;
  draw();
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
  const auto leader = std::ranges::min_element(nets_, {}, [](const Net& net) {
    return std::pair(net.epoch == 0 || !std::isfinite(net.error), net.error);
  });
  const double pace = static_cast<double>(epochs_here_) / std::max(1e-9, seconds());
  const double left = std::min(to_go / pace, time_limit_ - seconds());
  std::string text = bar(done / std::max(1.0, done + to_go));
  if (nets_.size() > 1) text += fmt::format(" nets {}/{}", finished, nets_.size());
  text += fmt::format("  epoch {}  {}  units ", leader->epoch, phase_name(leader->phase));
  for (std::size_t l = 0; l < leader->units.size(); ++l)
    text += fmt::format("{}{}", l > 0 ? "-" : "", leader->units[l]);
  text += fmt::format("  error {:.4f}  {} rows/s", leader->error,
                      rate_text(pace * static_cast<double>(train_rows_)));
  if (finished < nets_.size()) text += fmt::format("  at least {} to go", duration_text(left));
  return text;
}

void Progress::draw() {
  std::string text = line();
  if (!terminal_) {
    fmt::print(stderr, "{}\n", text);
    return;
  }
  text.resize(std::min(text.size(), terminal_width() - 1));
  const std::size_t width = text.size();
  text.resize(std::max(width, drawn_width_), ' ');
  drawn_width_ = width;
  fmt::print(stderr, "\r{}", text);
  std::fflush(stderr);
}

}  // namespace coppice::cli
