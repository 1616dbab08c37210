#include "coppice/ranks/serve.h"

#include "coppice/core/fail.h"
#include "coppice/device/conductor.h"
#include "coppice/ranks/agree.h"
#include "coppice/ranks/data_files.h"
#include "coppice/ranks/net_worker.h"
#include "coppice/run/checkpoint.h"
#include "coppice/run/configuration.h"
#include "coppice/run/files.h"

#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <utility>

namespace coppice {

namespace {

using nlohmann::json;

/// Fails if this rank came to something else than rank 0.
void refuse_difference(const json& setup, const Training& training, const json& checksums,
                       std::uint32_t fingerprint) {
  for (const auto& [role, sum] : setup["checksums"].items()) {
    if (checksums.value(role, json()) != sum) {
      fail(
          "the {} file there is not the one that rank 0 read (its checksum differs); use `data-from` root, "
          "or "
          "put the same file there",
          role);
    }
  }
  if (training.kernels() != setup["kernels"])
    fail("computes with {}, rank 0 with {}, which round in another way; use machines of one kind",
         training.kernels(), setup["kernels"].get<std::string>());
  if (fingerprint != setup["fingerprint"])
    fail("comes to other settings than rank 0 from the same data; are both of the same build?");
}

class Rank {
 public:
  explicit Rank(Messenger& messenger) : messenger_(&messenger) {}

  /// An exit code if that was the last message.
  std::optional<int> take(const Message& message) {
    switch (message.subject) {
      case Subject::quit:
        return std::atoi(message.bytes.c_str());
      case Subject::file:
        take_file(message);
        break;
      case Subject::setup:
        set_up(json::parse(message.bytes));
        break;
      case Subject::task:
        begin(read_task(message.bytes));
        break;
      case Subject::stop:
        if (worker_) worker_->stop();
        break;
      default:
        break;
    }
    return std::nullopt;
  }

 private:
  /// What goes wrong here, rank 0 says.
  void take_file(const Message& message) {
    if (!mistake_.empty()) return;
    mistake_ = mistake_of([&] {
      if (!received_) received_ = std::make_unique<Received>();
      received_->take(read_file_part(message.bytes));
    });
  }

  void set_up(const json& setup) {
    if (mistake_.empty()) mistake_ = mistake_of([&] { prepare(setup); });
    received_.reset();
    messenger_->send(0, Subject::ready, mistake_);
  }

  template <class Action>
  static std::string mistake_of(Action action) {
    try {
      action();
      return {};
    } catch (const std::bad_alloc&) {
      return "out of memory; start fewer ranks there";
    } catch (const std::exception& error) {
      return error.what();
    }
  }

  void prepare(const json& setup) {
    RunOptions options;
    options.data = setup["data"];
    json settings = setup;
    for (const char* name : {"files", "fingerprint", "kernels", "threads"}) settings.erase(name);
    settings["threads"] = setup["threads"];
    apply_config(options, settings, "what rank 0 told", {});
    if (setup.contains("files")) {
      const json& files = setup["files"];
      options.data = files["data"];
      options.validation = files["validation"];
      options.test = files["test"];
      options.warm_start = files["warm-start"];
      received_->locate(options);
    }
    Conductor conductor({});
    json checksums;
    conductor.run([&] {
      FilesRead files = read_files(options, [] { return false; });
      checksums = files.checksums;
      training_ = std::make_unique<Training>(files.data, files.options);
    });
    fingerprint_ = settings_fingerprint(training_->options(), checksums);
    refuse_difference(setup, *training_, checksums, fingerprint_);
    worker_ = std::make_unique<NetWorker>(*messenger_, *training_, fingerprint_);
  }

  void begin(const Assignment& task) {
    const std::string mistake = mistake_of([&] {
      NetTask net;
      Conductor conductor({});  // its threads are shielded from signals
      conductor.run([&] {
        if (!task.teacher.empty())
          training_->attend(Model::from_bytes(task.teacher, "the model that teaches"));
        NetRun run = training_->begun(task.net, task.planned, task.ancestor);
        if (!task.checkpoint.empty())
          restore_checkpoint(run, task.checkpoint, "a net that rank 0 sent", fingerprint_);
        net = training_->task(task.planned, std::move(run));
      });
      worker_->begin(std::move(net), task.threads, task.checkpoint_every);
    });
    if (!mistake.empty()) messenger_->send(0, Subject::failed, mistake);
  }

  Messenger* messenger_;
  std::unique_ptr<Received> received_;
  std::string mistake_;
  std::unique_ptr<Training> training_;
  std::uint32_t fingerprint_ = 0;
  std::unique_ptr<NetWorker> worker_;
};

}  // namespace

int serve(Messenger& messenger, std::vector<std::string> arguments) {
  messenger.send(0, Subject::hello, hello_bytes(hello_of(std::move(arguments))));
  Rank rank(messenger);
  while (true) {
    const auto message = messenger.receive(std::chrono::seconds(1));
    if (!message) continue;
    if (const auto code = rank.take(*message)) return *code;
  }
}

}  // namespace coppice
