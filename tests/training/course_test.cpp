#include "coppice/training/course.h"

#include "coppice/training/protocol.h"

#include <vector>

#include <gtest/gtest.h>

namespace coppice {
namespace {

constexpr Course short_course{.rounds = 3, .epochs = 2};

Protocol on_course(double step) {
  Protocol protocol({.patience = 1, .fine_patience = 0.5, .course = short_course}, step);
  Protocol::State state = protocol.state();
  state.phase = Phase::anneal;
  protocol.restore(state);
  return protocol;
}

TEST(Course, LastsItsEpochsWhateverTheErrorsAndKeepsEveryState) {
  Protocol protocol = on_course(27);
  const std::vector<double> steps{9, 9, 3, 3, 1, 1};
  for (std::size_t epoch = 0; epoch < steps.size(); ++epoch) {
    EXPECT_TRUE(protocol.running());
    EXPECT_DOUBLE_EQ(protocol.step(), steps[epoch]) << epoch;
    EXPECT_EQ(protocol.epochs_to_go(), static_cast<double>(steps.size() - epoch));
    EXPECT_EQ(protocol.epoch_share(), 1) << "whole epochs, also where anneal would have parts of one";
    EXPECT_FALSE(protocol.adds_units());
    EXPECT_FALSE(protocol.shrinks());
    const Verdict verdict = protocol.advance(0.1 * static_cast<double>(epoch), false);
    EXPECT_TRUE(verdict.keep) << "nothing validates it";
    EXPECT_FALSE(verdict.rewind);
    EXPECT_EQ(protocol.waited(), static_cast<double>(epoch + 1));
    EXPECT_EQ(protocol.patience(), 6);
  }
  EXPECT_EQ(protocol.phase(), Phase::done);
  EXPECT_EQ(protocol.epochs_to_go(), 0);
}

TEST(Course, GoesOnTheSameFromAState) {
  Protocol whole = on_course(27);
  Protocol parts = on_course(27);
  while (whole.running()) {
    Protocol next({.patience = 1, .fine_patience = 0.5, .course = short_course}, 27);
    next.restore(parts.state());
    parts = next;
    whole.advance(0.5, false);
    parts.advance(0.5, false);
    ASSERT_EQ(whole.step(), parts.step());
    ASSERT_EQ(whole.phase(), parts.phase());
  }
}

TEST(Course, OfOneRoundIsOne) {
  EXPECT_TRUE((Course{.rounds = 1, .epochs = 2}.given()));
  EXPECT_FALSE(Course{}.given());
}

}  // namespace
}  // namespace coppice
