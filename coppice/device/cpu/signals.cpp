#include "coppice/device/signals.h"

#include <initializer_list>
#include <pthread.h>

namespace coppice {

namespace {

thread_local bool shielded = false;

}  // namespace

SignalShield::SignalShield() : outermost_(!shielded), before_() {
  if (!outermost_) return;
  sigset_t all;
  sigfillset(&all);
  for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS}) sigdelset(&all, own);
  pthread_sigmask(SIG_SETMASK, &all, &before_);
  shielded = true;
}

SignalShield::~SignalShield() {
  if (!outermost_) return;
  shielded = false;
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace coppice
