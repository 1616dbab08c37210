#include "coppice/core/fail.h"
#include "coppice/ranks/agree.h"
#include "coppice/ranks/hand_out.h"
#include "coppice/ranks/lead.h"
#include "coppice/ranks/trial_worker.h"

#include <chrono>
#include <utility>

// How rank 0 hands out the trials of a search.
namespace coppice {

namespace {

constexpr std::chrono::milliseconds a_moment{50};

TrialShare share_of(std::span<const Trial> trials, const std::vector<std::size_t>& indices,
                    std::size_t threads) {
  TrialShare share{.indices = indices, .trials = {}, .threads = threads};
  for (const std::size_t i : indices) share.trials.push_back(trials[i]);
  return share;
}

}  // namespace

SearchCrew::SearchCrew(Ranks& ranks, const SearchRun& search)
    : ranks_(&ranks),
      search_(&search.training()),
      threads_(threads_of(ranks.hellos(), search.options().run.options.threads)) {}

bool SearchCrew::train(std::span<const Trial> trials, const std::function<void(const TrialResult&)>& record,
                       SearchObserver* observer, const std::function<bool()>& stop) {
  Messenger& messenger = ranks_->messenger();
  const bool gpus = search_->device() == Device::cuda;
  HandOut hand_out(longest_first(trials, search_->info().inputs),
                   gpus ? gpu_seats_of(threads_, trials.size()) : seats_of(threads_, trials.size()));
  TrialWorker local(messenger, *search_);
  const auto give = [&](const std::vector<std::size_t>& indices, std::size_t rank) {
    TrialShare share = share_of(trials, indices, hand_out.threads(rank));
    if (rank == 0) {
      local.begin(std::move(share));
    } else {
      messenger.send(rank, Subject::trials, trial_share_bytes(share));
    }
  };
  const auto take = [&](const Message& message) {
    refuse_failed(message, ranks_->hellos());
    if (message.subject == Subject::epoch) {
      if (observer != nullptr) observer->on_epoch(read_epoch(message.bytes).report);
    } else if (message.subject == Subject::result) {
      const auto [index, result] = read_result(message.bytes);
      record(result);
      if (observer != nullptr) observer->on_result(result);
      hand_out.ended(index);
    }
  };
  while (!stop()) {
    for (const auto& [rank, indices] : hand_out.give()) {
      if (gpus) {  // together
        give(indices, rank);
        continue;
      }
      for (const std::size_t i : indices) give({i}, rank);
    }
    if (hand_out.idle()) return true;
    if (const auto message = messenger.receive(a_moment)) take(*message);
  }
  local.stop();
  for (std::size_t rank = 1; rank < hand_out.ranks(); ++rank) messenger.send(rank, Subject::stop, "");
  return false;
}

}  // namespace coppice
