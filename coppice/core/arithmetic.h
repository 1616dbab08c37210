#pragma once

#include <cstdint>
#include <utility>

namespace coppice {

/// How a thread computes: as fast as this processor can, which rounds as its instructions do, or in an order and by functions that round
/// the same on every processor.
enum class Arithmetic : std::uint8_t { native, portable };

namespace detail {
inline thread_local Arithmetic arithmetic_of_thread = Arithmetic::native;
}

/// Of the calling thread. Like its rounding mode it holds for all that the thread calls: a pool's threads take it from whose loop they
/// work on, a conductor's job from who runs it.
inline Arithmetic arithmetic() {
  return detail::arithmetic_of_thread;
}
inline bool computes_portably() {
  return arithmetic() == Arithmetic::portable;
}

/// While one lives, its thread computes so.
class WithArithmetic {
 public:
  explicit WithArithmetic(Arithmetic arithmetic)
      : before_(std::exchange(detail::arithmetic_of_thread, arithmetic)) {}
  ~WithArithmetic() { detail::arithmetic_of_thread = before_; }
  WithArithmetic(const WithArithmetic&) = delete;
  WithArithmetic& operator=(const WithArithmetic&) = delete;

 private:
  Arithmetic before_;
};

/// Calls f with the thread's arithmetic as a compile-time constant.
template <class F>
decltype(auto) with_arithmetic(const F& f) {
  if (computes_portably()) return f.template operator()<Arithmetic::portable>();
  return f.template operator()<Arithmetic::native>();
}

}  // namespace coppice
