#include "coppice/ranks/agree.h"

#include "coppice/core/error.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Hello like(const std::string& host) {
  return {.version = "1.2.3",
          .kernels = "loops",
          .arguments = {"train", "d.csv"},
          .host = host,
          .memory = 1000,
          .processors = 16,
          .online = 16,
          .gpu = "",
          .gpus = 0};
}

template <class Action>
std::string mistake_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Agree, RanksThatAreAlikeTrainTogether) {
  EXPECT_NO_THROW(refuse_unlike({like("a"), like("b"), like("b")}));
  EXPECT_NO_THROW(refuse_unlike({like("a")}));
}

TEST(Agree, NamesTheRankThatIsUnlike) {
  std::vector<Hello> ranks{like("a"), like("a"), like("b")};
  ranks[2].version = "1.2.4";
  EXPECT_THAT(mistake_of([&] { refuse_unlike(ranks); }),
              AllOf(StartsWith("rank 2 on b"), HasSubstr("1.2.4"), HasSubstr("1.2.3")));
  ranks[2] = like("b");
  ranks[1].kernels = "other loops";
  EXPECT_NO_THROW(refuse_unlike(ranks)) << "who computes portably does not mind";
  EXPECT_THAT(mistake_of([&] { refuse_other_kernels(ranks); }),
              AllOf(StartsWith("rank 1 on a"), HasSubstr("computes with other loops")));
  ranks[1] = like("a");
  ranks[2].arguments.emplace_back("--seed");
  EXPECT_THAT(mistake_of([&] { refuse_unlike(ranks); }),
              AllOf(StartsWith("rank 2 on b"), HasSubstr("--seed"), HasSubstr("where rank 0 has nothing")));
  ranks[2].arguments = {"train", "e.csv"};
  EXPECT_THAT(mistake_of([&] { refuse_unlike(ranks); }), HasSubstr("\"e.csv\" where rank 0 has \"d.csv\""));
}

TEST(Agree, AMachineNeedsMemoryForAllItsRanks) {
  const std::uint64_t megabyte = std::uint64_t{1} << 20U;
  std::vector<Hello> ranks{like("a"), like("a"), like("b"), like("b")};
  for (Hello& rank : ranks) rank.memory = 200 * megabyte;
  EXPECT_NO_THROW(refuse_small(ranks, 100 * megabyte));
  EXPECT_THAT(
      mistake_of([&] { refuse_small(ranks, 101 * megabyte); }),
      AllOf(StartsWith("rank 2 on b"), HasSubstr("200 MB"), HasSubstr("2 ranks"), HasSubstr("102 MB")));
  ranks[1].memory = 50 * megabyte;
  EXPECT_THAT(mistake_of([&] { refuse_small(ranks, 100 * megabyte); }), StartsWith("rank 1 on a"));
}

TEST(Agree, RanksShareTheProcessorsOfTheirMachine) {
  std::vector<Hello> ranks{like("a"), like("a"), like("b")};
  EXPECT_THAT(threads_of(ranks, std::nullopt), ElementsAre(8, 8, 16));
  EXPECT_THAT(threads_of(ranks, 3), ElementsAre(3, 3, 3));
  ranks[0].processors = 1;  // bound
  EXPECT_THAT(threads_of(ranks, std::nullopt), ElementsAre(1, 8, 16));
  for (Hello& rank : ranks) rank.online = 1;
  EXPECT_THAT(threads_of(ranks, std::nullopt), ElementsAre(1, 1, 1));
  EXPECT_EQ(hosts_of(ranks), 2U);
}

TEST(Agree, ThisProcessHasMemoryAndProcessors) {
  const Hello self = hello_of({"train"});
  EXPECT_GT(self.memory, 0U);
  EXPECT_GE(self.processors, 1U);
  EXPECT_GE(self.online, self.processors);
  EXPECT_FALSE(self.host.empty());
  EXPECT_FALSE(self.kernels.empty());
}

TEST(Agree, RanksOfAMachineTakeItsGpusInTurn) {
  std::vector<Hello> ranks{like("a"), like("b"), like("a"), like("a"), like("b")};
  EXPECT_THAT(gpus_of(ranks), ElementsAre(0, 0, 0, 0, 0)) << "there are none";
  for (Hello& rank : ranks) rank.gpus = rank.host == "a" ? 2 : 1;
  EXPECT_THAT(gpus_of(ranks), ElementsAre(0, 0, 1, 0, 0));
}

}  // namespace
}  // namespace coppice
