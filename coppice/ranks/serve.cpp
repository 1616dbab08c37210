#include "coppice/ranks/serve.h"

#include "coppice/core/fail.h"
#include "coppice/device/conductor.h"
#include "coppice/ranks/agree.h"
#include "coppice/ranks/data_files.h"
#include "coppice/ranks/mistake.h"
#include "coppice/ranks/net_worker.h"
#include "coppice/ranks/rank_rows.h"
#include "coppice/ranks/trial_worker.h"
#include "coppice/run/checkpoint.h"
#include "coppice/run/configuration.h"
#include "coppice/run/files.h"
#include "coppice/run/search_run.h"

#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

namespace coppice {

namespace {

using nlohmann::json;

/// Fails if this rank came to something else than rank 0.
void refuse_difference(const json& setup, const std::string& kernels, const json& checksums,
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
  if (kernels != setup["kernels"])
    fail(
        "computes with {}, rank 0 with {}, which round in another way; use machines of one kind, or "
        "`portable-math` on",
        kernels, setup["kernels"].get<std::string>());
  if (fingerprint != setup["fingerprint"])
    fail("comes to other settings than rank 0 from the same data; are both of the same build?");
}

/// What rank 0 said is to be trained.
SearchRunOptions options_from(const json& setup) {
  constexpr const char* told = "what rank 0 told";
  SearchRunOptions options;
  if (setup.contains("search")) {
    options = search_options(setup["search"], told);
  } else {
    options.run.data = setup["run"]["data"];
    apply_config(options.run, setup["run"], told, {});
  }
  apply_config(options.run, {{"threads", setup["threads"]}, {"device", setup["device"]}}, told, {});
  return options;
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
      case Subject::trials:
        trial_worker_->begin(read_trial_share(message.bytes));
        break;
      case Subject::rows:
        answer(message.bytes);
        break;
      case Subject::stop:
        if (worker_) worker_->stop();
        if (trial_worker_) trial_worker_->stop();
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
    forget();
    if (mistake_.empty()) mistake_ = mistake_of([&] { prepare(setup); });
    received_.reset();
    messenger_->send(0, Subject::ready, mistake_);
  }

  /// What was trained before: rank 0 may lead one run after another.
  void forget() {
    worker_.reset();
    trial_worker_.reset();
    rows_.reset();
    training_.reset();
    search_.reset();
  }

  void prepare(const json& setup) {
    SearchRunOptions options = options_from(setup);
    if (setup.contains("files")) {
      const json& files = setup["files"];
      options.run.data = files["data"];
      options.run.validation = files["validation"];
      options.run.test = files["test"];
      options.run.warm_start = files["warm-start"];
      received_->locate(options.run);
    }
    Conductor conductor({});
    json checksums;
    conductor.run([&] {
      FilesRead files = read_files(options.run, [] { return false; });
      checksums = files.checksums;
      if (setup.contains("search")) {
        search_ = std::make_unique<SearchTraining>(files.data, options.space, files.options);
      } else {
        training_ = std::make_unique<Training>(files.data, files.options);
      }
    });
    fingerprint_ = settings_fingerprint(search_ ? search_->options() : training_->options(), checksums);
    refuse_difference(setup, search_ ? search_->kernels() : training_->kernels(), checksums, fingerprint_);
    if (search_) {
      trial_worker_ = std::make_unique<TrialWorker>(*messenger_, *search_);
    } else if (training_->options().rows_over_ranks.value_or(false)) {
      rows_ = std::make_unique<RankRows>(*messenger_, *training_);
    } else {
      worker_ = std::make_unique<NetWorker>(*messenger_, *training_, fingerprint_);
    }
  }

  void answer(const std::string& question) {
    std::string sums;
    const std::string mistake = mistake_of([&] { sums = rows_->answer(question); });
    if (mistake.empty()) {
      messenger_->send(0, Subject::sums, std::move(sums));
    } else {
      messenger_->send(0, Subject::failed, mistake);
    }
  }

  void begin(const std::vector<Assignment>& tasks) {
    const std::string mistake = mistake_of([&] {
      std::vector<NetTask> nets;
      Conductor conductor({});  // its threads are shielded from signals
      conductor.run([&] {
        for (const Assignment& task : tasks) nets.push_back(task_of(task));
      });
      worker_->begin(std::move(nets), tasks.front().threads, tasks.front().checkpoint_every);
    });
    if (!mistake.empty()) messenger_->send(0, Subject::failed, mistake);
  }

  NetTask task_of(const Assignment& task) {
    if (!task.teacher.empty()) training_->attend(Model::from_bytes(task.teacher, "the model that teaches"));
    NetRun run = training_->begun(task.net, task.planned, task.ancestor);
    if (!task.checkpoint.empty())
      restore_checkpoint(run, task.checkpoint, "a net that rank 0 sent", fingerprint_);
    return training_->task(task.planned, std::move(run), task.together);
  }

  Messenger* messenger_;
  std::unique_ptr<Received> received_;
  std::string mistake_;
  std::unique_ptr<Training> training_;  ///< or search_
  std::unique_ptr<SearchTraining> search_;
  std::uint32_t fingerprint_ = 0;
  std::unique_ptr<NetWorker> worker_;  ///< or one of the two below
  std::unique_ptr<TrialWorker> trial_worker_;
  std::unique_ptr<RankRows> rows_;
};

}  // namespace

int serve(Messenger& messenger, std::vector<std::string> arguments) {
  Rank rank(messenger);
  std::optional<int> code;
  const auto tell = [&](const std::string& mistake) {
    if (mistake.empty()) return;
    if (messenger.lost()) fail("{}", mistake);  // to nobody
    messenger.send(0, Subject::failed, mistake);
  };
  tell(mistake_of([&] { messenger.send(0, Subject::hello, hello_bytes(hello_of(std::move(arguments)))); }));
  // Not even a rank that cannot go on ends by itself: the launcher would end rank 0 before it has said why.
  while (!code) {
    tell(mistake_of([&] {
      const auto message = messenger.receive(std::chrono::seconds(1));
      if (message) code = rank.take(*message);
    }));
  }
  return *code;
}

}  // namespace coppice
