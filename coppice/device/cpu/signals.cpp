#include "coppice/device/signals.h"

#include <csignal>
#include <initializer_list>
#include <pthread.h>

namespace coppice {

namespace {

constexpr double most_work = 2e7;  ///< multiplications: a millisecond in large products, a few in small ones

/// What this thread has to do with signals. Each thread has its own, which no other sees.
struct State {
  int shields = 0;       ///< alive
  bool paused = false;   ///< a SignalPause is alive
  bool waiting = false;  ///< ... and signals are blocked until it lets them in
  double work = 0;       ///< done since they are
  sigset_t before = {};  ///< the mask to go back to
};
thread_local State state;

sigset_t all_but_errors() {
  sigset_t all;
  sigfillset(&all);
  for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS}) sigdelset(&all, own);
  return all;
}

void block() {
  static const sigset_t all = all_but_errors();
  pthread_sigmask(SIG_SETMASK, &all, &state.before);
}

void unblock() {
  pthread_sigmask(SIG_SETMASK, &state.before, nullptr);
}

}  // namespace

SignalShield::SignalShield(double work) : work_(work) {
  if (state.shields++ > 0 || state.waiting) return;
  block();
  state.waiting = state.paused;
  state.work = 0;
}

SignalShield::~SignalShield() {
  if (--state.shields > 0) return;
  state.work += work_;
  if (state.waiting && state.work < most_work) return;
  state.waiting = false;
  unblock();
}

SignalPause::SignalPause() : outermost_(state.shields == 0 && !state.paused) {
  if (outermost_) state.paused = true;
}

SignalPause::~SignalPause() {
  if (!outermost_) return;
  state.paused = false;
  if (!state.waiting) return;
  state.waiting = false;
  unblock();
}

}  // namespace coppice
