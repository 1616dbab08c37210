#include "coppice/ranks/lead.h"

#include "coppice/core/fail.h"
#include "coppice/ranks/agree.h"
#include "coppice/ranks/data_files.h"
#include "coppice/ranks/host.h"
#include "coppice/run/configuration.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

namespace coppice {

namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds a_while{200};

/// What another version said, perhaps in other words.
Hello understood(const Message& message) {
  try {
    return read_hello(message.bytes);
  } catch (const Error&) {
    Hello strange;
    strange.host = "?";
    return strange;
  }
}

}  // namespace

Ranks::~Ranks() {
  quit(2);
}

void Ranks::meet(std::vector<std::string> arguments) {
  hellos_.front() = hello_of(std::move(arguments));
  for (std::size_t heard = 1; heard < hellos_.size();) {
    const auto message = messenger_->receive(a_while);
    if (!message) continue;
    refuse_failed(*message, hellos_);
    if (message->subject != Subject::hello) continue;
    hellos_[message->from] = understood(*message);
    ++heard;
  }
  refuse_unlike(hellos_);
}

void Ranks::quit(int code) {
  if (quit_) return;
  quit_ = true;
  for (std::size_t rank = 1; rank < size(); ++rank)
    messenger_->send(rank, Subject::quit, std::to_string(code));
}

std::string Ranks::text(std::optional<std::size_t> threads) const {
  const std::vector<std::size_t> all = threads_of(hellos_, threads);
  const auto [low, high] = std::ranges::minmax(all);
  const std::size_t hosts = hosts_of(hellos_);
  return fmt::format("{} ranks on {} machine{}, {}{} thread{} each", size(), hosts, hosts == 1 ? "" : "s",
                     low == high ? "" : fmt::format("{} to ", low), high, high == 1 ? "" : "s");
}

void Ranks::choose_device(Options& options) const {
  if (!options.portable_math.value_or(false)) refuse_other_kernels(hellos_);
  if (!options.gpus.empty()) {
    fail_option("device",
                "`device` cuda{}: under mpirun each rank takes one GPU of its machine; use `device` cuda",
                gpus_text(options.gpus));
  }
  if (options.device == Device::cpu) return;
  for (std::size_t rank = 0; rank < size(); ++rank) {
    const Hello& hello = hellos_[rank];
    if (hello.gpus > 0 && hello.gpu == hellos_.front().gpu) continue;
    if (options.device == Device::cuda) {
      fail_option("device", "`device` cuda: {} {}; use `device` cpu, or machines of one kind",
                  rank_text(rank, hellos_),
                  hello.gpus == 0 ? "sees no GPU" : "sees other GPUs than rank 0 or of several kinds");
    }
    options.device = Device::cpu;
    return;
  }
}

void Ranks::set_up(const Run& run, DataFrom from, const std::function<bool()>& stop) {
  const json setup{{"run", configuration(run.options(), run.training().options(), run.checksums())},
                   {"checksums", run.checksums()},
                   {"fingerprint", run.fingerprint()},
                   {"kernels", run.training().kernels()}};
  set_up(setup, run.options(), run.training().device(), from, stop);
}

void Ranks::set_up(const SearchRun& search, DataFrom from, const std::function<bool()>& stop) {
  const json config = search.configuration();
  const json setup{{"search", config},
                   {"checksums", config["shared"]["checksums"]},
                   {"fingerprint", search.fingerprint()},
                   {"kernels", search.training().kernels()}};
  set_up(setup, search.options().run, search.training().device(), from, stop);
}

void Ranks::set_up(json setup, RunOptions options, Device device, DataFrom from,
                   const std::function<bool()>& stop) {
  refuse_small(hellos_, memory_at_most());
  if (from == DataFrom::root) {
    const std::vector<SentFile> files = files_to_send(options);
    setup["files"] = {{"data", options.data},
                      {"validation", options.validation},
                      {"test", options.test},
                      {"warm-start", options.warm_start}};
    send_files(*messenger_, files, stop);
  }
  const std::vector<std::size_t> threads = threads_of(hellos_, options.options.threads);
  const std::vector<std::size_t> gpus = gpus_of(hellos_);
  for (std::size_t rank = 1; rank < size(); ++rank) {
    setup["threads"] = threads[rank];
    setup["device"] = device == Device::cpu ? "cpu" : fmt::format("cuda:{}", gpus[rank]);
    messenger_->send(rank, Subject::setup, setup.dump());
  }
  for (std::size_t ready = 1; ready < size();) {
    if (stop()) fail_as(ErrorKind::interrupted, "interrupted before training began");
    const auto message = messenger_->receive(a_while);
    if (!message) continue;
    refuse_failed(*message, hellos_);
    if (message->subject != Subject::ready) continue;
    if (!message->bytes.empty()) fail("{}: {}", rank_text(message->from, hellos_), message->bytes);
    ++ready;
  }
}

}  // namespace coppice
