#pragma once

namespace coppice {

/// While one lives, this thread handles no signals: they wait, or other threads get them. oneDNN's products
/// keep data below the stack's red zone, where the frame of a signal handler overwrites it: the results, and
/// then the heap, are destroyed. Errors of the program itself (SIGSEGV and the like) still come through.
///
/// Threads of ours are shielded for life. A thread of the program that uses this library is shielded inside a
/// product, and handles its signals between two products. Inside another shield, one more costs nothing.
class SignalShield {
 public:
  SignalShield() : SignalShield(0) {}
  /// For that many multiplications; what they count for, see SignalPause.
  explicit SignalShield(double work);
  ~SignalShield();
  SignalShield(const SignalShield&) = delete;
  SignalShield& operator=(const SignalShield&) = delete;

 private:
  double work_;
};

/// Around many products in a thread of the host: to block and unblock signals for each would take longer than small
/// products themselves. While one lives they wait from the first product on, and are let in between two products as
/// soon as a millisecond's worth of multiplications is done, and at the end. Costs nothing inside a shield or another pause.
class SignalPause {
 public:
  SignalPause();
  ~SignalPause();
  SignalPause(const SignalPause&) = delete;
  SignalPause& operator=(const SignalPause&) = delete;

 private:
  bool outermost_;
};

}  // namespace coppice
