#include "coppice/ranks/trial_worker.h"

#include "coppice/device/signals.h"
#include "coppice/ranks/mistake.h"

#include <algorithm>
#include <string>
#include <utility>

namespace coppice {

namespace {

/// Tells rank 0 of epochs, by the indices that trials have there.
class Teller final : public SearchObserver {
 public:
  Teller(Messenger& messenger, const TrialShare& share) : messenger_(&messenger), share_(&share) {}

  void on_epoch(const EpochReport& epoch) override {
    EpochReport report = epoch;
    report.net = share_->indices[epoch.net];
    messenger_->send(0, Subject::epoch, epoch_bytes({.report = std::move(report), .checkpoint = {}}));
  }

 private:
  Messenger* messenger_;
  const TrialShare* share_;
};

/// Sends what comes.
class SentResults final : public TrialResults {
 public:
  SentResults(Messenger& messenger, const TrialShare& share) : messenger_(&messenger), share_(&share) {}

  void append(TrialResult result) override {
    const auto at = std::ranges::find(share_->trials, result.trial) - share_->trials.begin();
    messenger_->send(0, Subject::result, result_bytes(share_->indices[static_cast<std::size_t>(at)], result));
    add(std::move(result));
  }

 private:
  Messenger* messenger_;
  const TrialShare* share_;
};

}  // namespace

void TrialWorker::train(const TrialShare& share) {
  const SignalShield shield;
  Teller teller(*messenger_, share);
  SentResults results(*messenger_, share);
  const std::string mistake = mistake_of([&] {
    search_->train_some(share.trials, share.threads, results, &teller, [this] { return stopping_.load(); });
  });
  if (!mistake.empty()) messenger_->send(0, Subject::failed, mistake);
}

void TrialWorker::begin(TrialShare share) {
  threads_.begin([this, share = std::move(share)] { train(share); });
}

}  // namespace coppice
