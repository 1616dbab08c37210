#include "experiments/counts.h"

#include "tests/support.h"

#include <gmock/gmock.h>

namespace coppice::experiments {
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
  const Counts paper = counts_of("paper");
  const Counts small = counts_of("small");
  for (const NamedCount& count : named_counts()) {
    if (count.name == "lambda-times" || count.name == "short-protocol") continue;
    EXPECT_LE(small.*count.value, paper.*count.value) << count.name;
  }
  EXPECT_THAT(message_of([] { counts_of("huge"); }), AllOf(HasSubstr("--scale"), HasSubstr("\"huge\"")));
}

TEST(Counts, CanBeSetByName) {
  Counts counts = counts_of("small");
  set_count(counts, "seeds=5");
  set_count(counts, "trials= 17");
  EXPECT_EQ(counts.seeds, 5U);
  EXPECT_EQ(counts.trials, 17U);
  EXPECT_EQ(changes_text(counts, counts_of("small")), "seeds=5,trials=17");
  EXPECT_EQ(changes_text(counts, counts), "");
}

TEST(Counts, EveryCountHasANameOfItsOwn) {
  Counts counts;
  for (const NamedCount& count : named_counts()) set_count(counts, fmt::format("{}=77", count.name));
  for (const NamedCount& count : named_counts()) EXPECT_EQ(counts.*count.value, 77U) << count.name;
  EXPECT_EQ(named_counts().size() * sizeof(std::size_t), sizeof(Counts)) << "one has no name";
}

TEST(Counts, OtherNamesAndNumbersAreRefused) {
  Counts counts;
  EXPECT_THAT(message_of([&] { set_count(counts, "seed=5"); }),
              AllOf(HasSubstr("\"seed=5\""), HasSubstr("seeds")));
  for (const char* text : {"seeds=0", "seeds=-1", "seeds=1.5", "seeds=x", "seeds", "seeds=", "seeds=1e12"})
    EXPECT_THAT(message_of([&] { set_count(counts, text); }), HasSubstr("whole number")) << text;
}

TEST(Counts, SomeValuesComeFromTheMiddle) {
  EXPECT_THAT(from_the_middle({1, 2, 3, 4}, 1), ElementsAre(2));
  EXPECT_THAT(from_the_middle({1, 2, 3, 4, 5}, 3), ElementsAre(2, 3, 4));
  EXPECT_THAT(from_the_middle({1, 2}, 9), ElementsAre(1, 2));
}

}  // namespace
}  // namespace coppice::experiments
