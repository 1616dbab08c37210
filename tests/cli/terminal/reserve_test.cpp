// Memory that runs out where nothing can be caught.
#include "cli/reserve.h"

#include "cli/program.h"

#include <gmock/gmock.h>
#include <limits>
#include <new>
#include <stdexcept>
#include <vector>

namespace coppice::cli {
namespace {

/// Destructors must not throw: C++ ends the program.
template <class Thrown>
struct ThrowsAtItsEnd {
  ThrowsAtItsEnd() = default;
  ThrowsAtItsEnd(const ThrowsAtItsEnd&) = delete;
  ThrowsAtItsEnd& operator=(const ThrowsAtItsEnd&) = delete;
  ~ThrowsAtItsEnd() { throw_it(); }
  static void throw_it() { throw Thrown("memory"); }
};

struct NoMemory : std::bad_alloc {
  explicit NoMemory(const char* /*what*/) {}
};

TEST(Reserve, ADestructorWithoutMemoryEndsInASentence) {
  const auto work = [] {
    const ThrowsAtItsEnd<NoMemory> value;
    return 0;
  };
  EXPECT_EXIT(guarded("program", work), testing::ExitedWithCode(2), "^program: out of memory; .*\n$");
}

TEST(Reserve, OtherMistakesOfDestructorsAreStillAborted) {
  const auto work = [] {
    const ThrowsAtItsEnd<std::logic_error> value;
    return 0;
  };
  EXPECT_EXIT(guarded("program", work), testing::KilledBySignal(SIGABRT), "memory");
}

TEST(Reserve, WhoAsksFirstIsServedWhoAsksAgainIsNot) {
  const auto work = [] {
    const std::new_handler give = std::get_new_handler();
    give();  // as operator new does where there is no memory
    try {
      give();
    } catch (const std::bad_alloc&) {
      std::exit(7);
    }
    return 0;
  };
  EXPECT_EXIT(guarded("program", work), testing::ExitedWithCode(7), "^$");
}

TEST(Reserve, TooMuchIsASentence) {
#ifdef COPPICE_SANITIZED
  GTEST_SKIP() << "sanitizers end a program that asks for so much";
#endif
  const auto work = [] {
    const std::vector<char> much(std::numeric_limits<std::ptrdiff_t>::max());
    return static_cast<int>(much.size() % 2);
  };
  EXPECT_EXIT(std::exit(guarded("program", work)), testing::ExitedWithCode(2),
              "^program: out of memory; .*\n$");
}

}  // namespace
}  // namespace coppice::cli
