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

Ranks::Ranks(Messenger& messenger, std::vector<std::string> arguments)
    : messenger_(&messenger), hellos_(messenger.size()) {
  hellos_.front() = hello_of(std::move(arguments));
  try {
    for (std::size_t heard = 1; heard < hellos_.size();) {
      const auto message = messenger.receive(a_while);
      if (!message || message->subject != Subject::hello) continue;
      hellos_[message->from] = understood(*message);
      ++heard;
    }
    refuse_unlike(hellos_);
  } catch (...) {
    quit(2);
    throw;
  }
}

Ranks::~Ranks() {
  quit(2);
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

void Ranks::set_up(const Run& run, DataFrom from, const std::function<bool()>& stop) {
  refuse_small(hellos_, memory_at_most());
  RunOptions options = run.options();
  nlohmann::json setup = configuration(options, run.training().options(), run.checksums());
  if (from == DataFrom::root) {
    const std::vector<SentFile> files = files_to_send(options);
    setup["files"] = {{"data", options.data},
                      {"validation", options.validation},
                      {"test", options.test},
                      {"warm-start", options.warm_start}};
    send_files(*messenger_, files, stop);
  }
  setup["fingerprint"] = run.fingerprint();
  setup["kernels"] = run.training().kernels();
  const std::vector<std::size_t> threads = threads_of(hellos_, options.options.threads);
  for (std::size_t rank = 1; rank < size(); ++rank) {
    setup["threads"] = threads[rank];
    messenger_->send(rank, Subject::setup, setup.dump());
  }
  for (std::size_t ready = 1; ready < size();) {
    if (stop()) fail_as(ErrorKind::interrupted, "interrupted before training began");
    const auto message = messenger_->receive(a_while);
    if (!message || message->subject != Subject::ready) continue;
    if (!message->bytes.empty()) fail("{}: {}", rank_text(message->from, hellos_), message->bytes);
    ++ready;
  }
}

}  // namespace coppice
