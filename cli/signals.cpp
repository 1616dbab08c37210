#include "cli/signals.h"

#include <atomic>
#include <csignal>
#include <thread>

namespace coppice::cli {

namespace {

std::atomic<int> caught = 0;

}  // namespace

/// A thread of its own waits for the signals, since no other may be interrupted (coppice/device/signals.h).
void catch_signals() {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  std::thread([ends] {
    int signal = 0;
    sigwait(&ends, &signal);
    caught = signal;
    sigwait(&ends, &signal);
    std::signal(signal, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &ends, nullptr);
    std::raise(signal);
  }).detach();
}

int caught_signal() {
  return caught;
}

}  // namespace coppice::cli
