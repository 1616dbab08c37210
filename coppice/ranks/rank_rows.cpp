#include "coppice/ranks/rank_rows.h"

#include "coppice/api/resolve.h"
#include "coppice/core/fail.h"
#include "coppice/ranks/agree.h"

#include <chrono>
#include <cmath>

namespace coppice {

namespace {

constexpr std::chrono::milliseconds a_while{200};

/// Of a data set whose rows lie in a file, and may not fit; else no copies are made.
const Dataset& fitting(const Dataset& data, const Options& options, std::size_t ranks) {
  if (!data.packed || !data.packed->in_file()) return data;
  const double bytes = static_cast<double>(data.rows()) * static_cast<double>(data.packed->format().bytes()) /
                       static_cast<double>(ranks);
  if (bytes <= memory_of(options) / 2) return data;
  fail_option("rows-over-ranks",
              "`rows-over-ranks`: a rank's part of the rows is {:.2f} GB, more than half of `memory` ({:.2f} "
              "GB); start "
              "more ranks (up to {}), or give more `memory`",
              bytes / 1e9, memory_of(options) / 1e9, row_shares);
}

}  // namespace

void refuse_rank_count(std::size_t ranks) {
  if (ranks <= row_shares && row_shares % ranks == 0) return;
  fail_option("rows-over-ranks",
              "`rows-over-ranks`: rows are cut into {} shares, and {} ranks cannot hold as many each; start "
              "1, 2, 4 or 8",
              row_shares, ranks);
}

std::string where_rows_pay(const TrainingInfo& info, std::size_t ranks) {
  // Orders of magnitude, measured by benchmarks/scale/rows.py (docs/scale.md): a question and its answers, products per
  // thread, weights that go out and gradients that come back.
  constexpr double seconds_per_question = 4e-4;
  constexpr double operations_per_second = 5e10;
  constexpr double seconds_per_weight = 1.6e-8;
  const double batch = static_cast<double>(*info.options.batch_size);
  const auto layers = static_cast<double>(*info.options.hidden_layers + 1);
  const double others = 1 - 1 / static_cast<double>(ranks);
  const double saved = 6 * batch * others / (operations_per_second * static_cast<double>(info.threads));
  const double unit = static_cast<double>(info.inputs) * (saved - seconds_per_weight);
  if (unit <= 0) {
    return fmt::format(
        "rows over {} ranks: steps of {} rows are slower than on one rank, whatever the net's width, since "
        "weights and gradients travel longer than products take; larger batches are faster, or ranks that "
        "train a net each",
        ranks, *info.options.batch_size);
  }
  const double units = std::ceil((2 * layers + 1) * seconds_per_question / unit);
  return fmt::format(
      "rows over {} ranks: steps of {} rows of {} inputs are faster than on one rank for nets of about "
      "{:.0f} units and "
      "more in the first layer; where all rows fit one machine's memory, ranks that train a net each are "
      "faster",
      ranks, *info.options.batch_size, info.inputs, units);
}

RankRows::RankRows(Messenger& messenger, const Training& training)
    : pool_(messenger.rank() == 0 ? 1 : thread_count(training.options())),
      compute_(pool_, training.info().precision),
      shares_(fitting(training.data().train, training.options(), messenger.size()),
              messenger.rank() * row_shares / messenger.size(), row_shares / messenger.size()) {
  messenger.hurry();
}

std::string RankRows::answer(const std::string& question) {
  return shares_.answer(compute_, question);
}

std::vector<std::string> RankTeam::ask(const Compute& compute, const std::string& question) {
  for (std::size_t rank = 1; rank < messenger_->size(); ++rank)
    messenger_->send(rank, Subject::rows, question);
  std::vector<std::string> answers(messenger_->size());
  answers.front() = rows_.answer(compute, question);
  for (std::size_t heard = 1; heard < answers.size();) {
    auto message = messenger_->receive(a_while);
    if (!message) continue;
    refuse_failed(*message, *hellos_);
    if (message->subject != Subject::sums) continue;
    answers[message->from] = std::move(message->bytes);
    ++heard;
  }
  return answers;
}

}  // namespace coppice
