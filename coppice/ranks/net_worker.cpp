#include "coppice/ranks/net_worker.h"

#include "coppice/device/signals.h"
#include "coppice/ranks/mistake.h"
#include "coppice/ranks/wire.h"
#include "coppice/run/checkpoint.h"

#include <string>
#include <utility>

namespace coppice {

namespace {

class Teller final : public NetObserver {
 public:
  Teller(Messenger& messenger, std::uint32_t fingerprint, std::size_t checkpoint_every)
      : messenger_(&messenger), fingerprint_(fingerprint), checkpoint_every_(checkpoint_every) {}

  void on_epoch(const NetRun& run, const EpochReport& report) override {
    messenger_->send(0, Subject::epoch,
                     epoch_bytes({.report = report,
                                  .checkpoint = reads_weights(run) ? checkpoint_bytes(run, fingerprint_)
                                                                   : std::string()}));
  }
  bool reads_weights(const NetRun& run) const override {
    return run.epoch % checkpoint_every_ == 0 || !run.running();
  }

 private:
  Messenger* messenger_;
  std::uint32_t fingerprint_;
  std::size_t checkpoint_every_;
};

}  // namespace

void NetWorker::train(std::vector<NetTask> tasks, std::size_t threads, std::size_t checkpoint_every) {
  const SignalShield shield;
  Teller teller(*messenger_, fingerprint_, checkpoint_every);
  const std::string mistake = mistake_of([&] {
    const std::vector<NetRun> runs =
        training_->trained(std::move(tasks), threads, teller, [this] { return stopping_.load(); });
    for (const NetRun& run : runs) {
      if (run.running())
        messenger_->send(0, Subject::stopped, stopped_bytes(run.id, checkpoint_bytes(run, fingerprint_)));
    }
  });
  if (!mistake.empty()) messenger_->send(0, Subject::failed, mistake);
}

void NetWorker::begin(std::vector<NetTask> tasks, std::size_t threads, std::size_t checkpoint_every) {
  threads_.begin([this, threads, checkpoint_every, tasks = std::move(tasks)]() mutable {
    train(std::move(tasks), threads, checkpoint_every);
  });
}

}  // namespace coppice
