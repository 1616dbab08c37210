#pragma once

#include <csignal>

namespace coppice {

/// While one lives, this thread handles no signals: they wait, or other threads get them. oneDNN's products
/// keep data below the stack's red zone, where the frame of a signal handler overwrites it: the results, and
/// then the heap, are destroyed. Cheap inside another shield. Errors of the program itself (SIGSEGV and the
/// like) still come through.
class SignalShield {
 public:
  SignalShield();
  ~SignalShield();
  SignalShield(const SignalShield&) = delete;
  SignalShield& operator=(const SignalShield&) = delete;

 private:
  bool outermost_;
  sigset_t before_;
};

}  // namespace coppice
