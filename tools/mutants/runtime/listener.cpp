#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <gtest/gtest.h>

namespace {

// Writes a line for each test: "NAME MILLISECONDS ok|failed NUMBER NUMBER ...", the mutants that it reached.
class MutantsReached : public testing::EmptyTestEventListener {
 public:
  explicit MutantsReached(const char* path) : file_(std::fopen(path, "w")) {}

 private:
  void OnTestStart(const testing::TestInfo&) override {
    std::fill_n(coppice_mutants_reached, COPPICE_MUTANTS_SIZE, static_cast<unsigned char>(0));
    start_ = std::chrono::steady_clock::now();
  }

  void OnTestEnd(const testing::TestInfo& test) override {
    const auto time = std::chrono::steady_clock::now() - start_;
    std::fprintf(file_, "%s.%s %.1f %s", test.test_suite_name(), test.name(),
                 std::chrono::duration<double, std::milli>(time).count(),
                 test.result()->Passed() ? "ok" : "failed");
    for (int number = 0; number < COPPICE_MUTANTS_SIZE; ++number)
      if (coppice_mutants_reached[number]) std::fprintf(file_, " %d", number);
    std::fprintf(file_, "\n");
    std::fflush(file_);
  }

  std::FILE* file_;
  std::chrono::steady_clock::time_point start_;
};

[[maybe_unused]] const bool listening = [] {
  if (const char* path = std::getenv("COPPICE_MUTANTS_LOG"))
    testing::UnitTest::GetInstance()->listeners().Append(new MutantsReached(path));
  return true;
}();

}  // namespace
