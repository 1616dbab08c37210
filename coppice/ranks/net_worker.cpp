#include "coppice/ranks/net_worker.h"

#include "coppice/device/signals.h"
#include "coppice/ranks/wire.h"
#include "coppice/run/checkpoint.h"

#include <exception>
#include <new>
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

NetWorker::~NetWorker() {
  stop();
  for (Slot& slot : slots_) slot.thread.join();
}

void NetWorker::train(NetTask task, std::size_t threads, std::size_t checkpoint_every) {
  const SignalShield shield;
  const std::size_t net = task.run.id;
  Teller teller(*messenger_, fingerprint_, checkpoint_every);
  try {
    const NetRun run =
        training_->trained(std::move(task), threads, teller, [this] { return stopping_.load(); });
    if (run.running())
      messenger_->send(0, Subject::stopped, stopped_bytes(net, checkpoint_bytes(run, fingerprint_)));
  } catch (const std::bad_alloc&) {
    messenger_->send(0, Subject::failed, "out of memory; use a smaller file or fewer ranks on that machine");
  } catch (const std::exception& error) {
    messenger_->send(0, Subject::failed, error.what());
  }
}

void NetWorker::begin(NetTask task, std::size_t threads, std::size_t checkpoint_every) {
  slots_.remove_if([](Slot& slot) {
    if (!slot.ended) return false;
    slot.thread.join();
    return true;
  });
  Slot& slot = slots_.emplace_back();
  slot.thread = std::thread([this, &slot, threads, checkpoint_every, task = std::move(task)]() mutable {
    train(std::move(task), threads, checkpoint_every);
    slot.ended = true;
  });
}

}  // namespace coppice
