#include "cli/signals.h"

#include <csignal>

namespace coppice::cli {

namespace {

volatile std::sig_atomic_t caught = 0;

void remember(int signal) {
  caught = signal;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = remember;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int caught_signal() {
  return caught;
}

}  // namespace coppice::cli
