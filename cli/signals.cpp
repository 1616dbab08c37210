#include "cli/signals.h"

#include <atomic>
#include <csignal>

namespace coppice::cli {

namespace {

std::atomic<int> caught = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may use nothing else");

}  // namespace

/// The threads that compute handle no signals (coppice/device/signals.h); whichever other one gets it only remembers it.
extern "C" void coppice_on_signal(int signal) {
  if (caught.exchange(signal) == 0) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void ignore_size_limit() {
  std::signal(SIGXFSZ, SIG_IGN);
}

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = coppice_on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction hangup {};
  sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // nohup wants it ignored
  std::signal(SIGPIPE, SIG_IGN);
}

int caught_signal() {
  return caught;
}

bool is_interrupted() {
  return caught != 0;
}

}  // namespace coppice::cli
