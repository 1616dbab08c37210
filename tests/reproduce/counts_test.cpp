#include "coppice/reproduce/counts.h"

#include "tests/support.h"

#include <gmock/gmock.h>

namespace coppice::reproduce {
namespace {

using test::message_of;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Counts, PaperIsThePapersProtocol) {
  const Counts paper = counts_of("paper");
  EXPECT_EQ(paper.mnist_rows, 60'000U);
  EXPECT_EQ(paper.poker_rows + paper.poker_validation + paper.poker_test, 1'025'010U);
  EXPECT_EQ(paper.seeds, 10U);
  EXPECT_EQ(paper.grid_steps * paper.optimizers * 2, 110U);
  EXPECT_EQ(paper.trials, 500U);
  EXPECT_EQ(paper.epochs, 1000U);
  EXPECT_EQ(paper.lambda_times, 1U);
}

TEST(Counts, SmallIsNowhereLarger) {
  Counts paper = counts_of("paper");
  Counts small = counts_of("small");
  const auto all = named(paper);
  const auto less = named(small);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].first == "lambda-times" || all[i].first == "short-protocol") continue;
    EXPECT_LE(*less[i].second, *all[i].second) << all[i].first;
  }
  EXPECT_THAT(message_of([] { counts_of("huge"); }), AllOf(HasSubstr("--scale"), HasSubstr("\"huge\"")));
}

TEST(Counts, CanBeSetByName) {
  Counts counts = counts_of("small");
  set_counts(counts, "seeds=5,trials=17");
  EXPECT_EQ(counts.seeds, 5U);
  EXPECT_EQ(counts.trials, 17U);
  EXPECT_EQ(changes_text(counts, counts_of("small")), "seeds=5,trials=17");
  EXPECT_EQ(changes_text(counts, counts), "");
  Counts again = counts_of("small");
  set_counts(again, changes_text(counts, again));
  EXPECT_EQ(again, counts);
}

TEST(Counts, OtherNamesAndNumbersAreRefused) {
  Counts counts;
  EXPECT_THAT(message_of([&] { set_counts(counts, "seed=5"); }),
              AllOf(HasSubstr("\"seed=5\""), HasSubstr("seeds")));
  for (const char* text : {"seeds=0", "seeds=-1", "seeds=1.5", "seeds=x", "seeds", "seeds=", "seeds=1e12"})
    EXPECT_THAT(message_of([&] { set_counts(counts, text); }), HasSubstr("whole number")) << text;
}

TEST(Counts, SomeValuesComeFromTheMiddle) {
  EXPECT_THAT(from_the_middle({1, 2, 3, 4}, 1), ElementsAre(2));
  EXPECT_THAT(from_the_middle({1, 2, 3, 4, 5}, 3), ElementsAre(2, 3, 4));
  EXPECT_THAT(from_the_middle({1, 2}, 9), ElementsAre(1, 2));
}

}  // namespace
}  // namespace coppice::reproduce
