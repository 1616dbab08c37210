#include "experiments/why.h"

#include "tests/cli/program.h"
#include "tests/xml.h"

#include <chrono>
#include <csignal>
#include <gmock/gmock.h>
#include <thread>

namespace coppice::experiments {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Arm arm(const char* name, double error) {
  Arm made{.way = {.name = name, .sizing = "fixed"}};
  for (std::size_t seed = 0; seed < 6; ++seed) {
    NetResult net;
    net.seed = seed;
    net.hidden_units = {4, 2};
    net.parameters = 20;
    net.phase = "done";
    net.test_error = error * (1 + 0.001 * static_cast<double>(seed));
    made.nets.push_back(net);
  }
  return made;
}

/// A set of which everything that is claimed is true.
WhySet ideal(const char* title = "MNIST") {
  return {.title = title,
          .lambda = 3e-4,
          .arms = {arm(by_itself, 0.010), arm(by_itself_uncapped, 0.011), arm(by_itself_momentum, 0.012),
                   arm(same_size_net, 0.015), arm(same_size_uncapped, 0.0155), arm(same_size_momentum, 0.017),
                   arm(same_size_smooth, 0.014), arm(usual_smooth, 0.016), arm(usual_capped, 0.018),
                   arm(shrunk_net, 0.0102), arm(pruned_net, 0.0103), arm(cut_net, 0.0104),
                   arm(set_back_net, 0.012), arm(larger_net, 0.0101), arm(usual_net, 0.019),
                   arm(bare_itself, 0.02), arm(bare_penalised, 0.025), arm(bare_net, 0.024)}};
}

std::vector<std::string> broken(const std::vector<WhySet>& sets, Verdict verdict = Verdict::fails) {
  std::vector<std::string> texts;
  for (const Claim& claim : why_claims(sets)) {
    const bool of_paper = claim.text.find("not competitive") != std::string::npos ||
                          claim.text.find("cannot compete") != std::string::npos;
    EXPECT_EQ(claim.ours, !of_paper) << claim.text;
    if (claim.judged.verdict == Verdict::holds) continue;
    EXPECT_EQ(claim.judged.verdict, verdict) << claim.text;
    texts.push_back(claim.text);
  }
  return texts;
}

/// With another error of one arm.
WhySet changed(const char* name, double error) {
  WhySet set = ideal();
  for (Arm& one : set.arms)
    if (one.way.name == name) one = arm(name, error);
  return set;
}

TEST(WhyClaims, AllHoldOfAnIdealSetAndEachIsBrokenByItself) {
  EXPECT_THAT(broken({ideal(), ideal("convex")}), IsEmpty());
  EXPECT_THAT(broken({changed(by_itself_uncapped, 0.016)}), ElementsAre(HasSubstr("without the cap")));
  EXPECT_THAT(broken({changed(same_size_uncapped, 0.0168)}), ElementsAre(HasSubstr("changes little")));
  EXPECT_THAT(broken({changed(same_size_momentum, 0.0148)}), ElementsAre(HasSubstr("better than momentum")));
  EXPECT_THAT(broken({changed(by_itself_momentum, 0.0095)}), ElementsAre(HasSubstr("so it is for nets")));
  EXPECT_THAT(broken({changed(same_size_smooth, 0.0095)}), ElementsAre(HasSubstr("sizing: AdaRad")));
  EXPECT_THAT(broken({changed(usual_smooth, 0.0095)}),
              ElementsAre(HasSubstr("smoothed labels do not replace it")));
  EXPECT_THAT(broken({changed(usual_capped, 0.0095)}), ElementsAre(HasSubstr("a cap on the outputs")));
  EXPECT_THAT(broken({changed(shrunk_net, 0.0115)}), ElementsAre(HasSubstr("the penalty at work")));
  EXPECT_THAT(broken({changed(pruned_net, 0.0115)}), ElementsAre(HasSubstr("are pruned")));
  EXPECT_THAT(broken({changed(cut_net, 0.0085)}), ElementsAre(HasSubstr("grow without")));
  EXPECT_THAT(broken({changed(set_back_net, 0.0095)}), ElementsAre(HasSubstr("born with")));
  EXPECT_THAT(broken({changed(bare_itself, 0.015)}), ElementsAre(HasSubstr("cannot compete")));
  EXPECT_THAT(broken({changed(bare_penalised, 0.015)}), ElementsAre(HasSubstr("not competitive")));
  EXPECT_THAT(broken({changed(bare_net, 0.015)}), ElementsAre(HasSubstr("without the penalty")));
  EXPECT_THAT(broken({changed(larger_net, 0.0115)}), ElementsAre(HasSubstr("three times")));
  EXPECT_THAT(broken({ideal(), changed(set_back_net, 0.010)}, Verdict::undecided),
              ElementsAre(HasSubstr("born with")))
      << "one set without an answer is enough";
}

TEST(WhyPage, RowsAreReadAsTheyWereWritten) {
  WhySet second = ideal("convex");
  second.arms[3].step = "30";
  second.arms[6].way.smoothing = "0.1";
  second.arms[4].nets[0].phase = "failed";
  const std::vector<WhySet> sets{ideal(), second};
  const Rows rows = why_rows(sets);
  EXPECT_EQ(rows.size(), 1U + 2 * 18 * 6);
  const std::vector<WhySet> read = stored_why({.rows = parse_csv(csv_text(rows))});
  EXPECT_EQ(why_rows(read), rows);
  EXPECT_EQ(why_details(read), why_details(sets));
  EXPECT_EQ(read[1].arms[4].test_errors()[0], 1) << "a net that failed is wrong in every row";
  EXPECT_THAT(why_details(sets),
              HasSubstr("| same size | fixed |  |  |  |  | 30 | 20 | 1.50 % (1.50 % to 1.51 %) |"));
  EXPECT_EQ(test::xml_fault(draw_why(sets).file("")), "");
}

}  // namespace
}  // namespace coppice::experiments

namespace coppice::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class WhyProgram : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    ::unsetenv("COPPICE_DATA");
  }
  static Arguments call_of(const std::string& out, const std::string& work, const Arguments& more = {}) {
    return Arguments{"why",
                     "-o",
                     out,
                     "--work",
                     work,
                     "--device",
                     "cpu",
                     "--sets",
                     "rectangles",
                     "--set",
                     "seeds=2,rectangles-rows=240,rectangles-test=100"} +
           more;
  }
  bool trained(const std::string& work, const std::string& run) const {
    return exists(work + "/small/why-rectangles-" + run + "/made.json");
  }
};

/// Everything that it trains, on few rows: every way gives nets, and the page can be judged again from what is stored.
/// Taken away from it, ways come back as they were, without the others being trained again.
TEST_F(WhyProgram, SmallScaleTrainsEveryWayAndThoseThatAPageLacks) {
  ok(call_of("out", "work"));
  const std::string page = read("out/why.md");
  for (const char* way : {"| sized by itself |", "| same size, momentum, batch normalisation, capped |",
                          "| pruned after training |", "| grown without penalty, then cut |",
                          "| set back to the weights of births |", "| three times the units |",
                          "| same size, momentum, no normalisation, penalised |"})
    EXPECT_THAT(page, ::testing::HasSubstr(way));
  ok({"why", "--stored", "-o", "out"});
  EXPECT_EQ(read("out/why.md"), page);

  const std::string whole = read("out/why.csv");
  std::string fewer;
  for (const std::string& line : lines_of(whole)) {
    const bool lacks =
        line.find("pruned after") != std::string::npos || line.find("set back to") != std::string::npos;
    if (!lacks) fewer += line + "\n";
  }
  ASSERT_NE(fewer, whole);
  write("out/why.csv", fewer);
  ok(call_of("out", "work2", {"--missing"}));
  EXPECT_EQ(read("out/why.csv"), whole);
  for (const char* run : {"grown", "larger", "pruned", "set-back"}) EXPECT_TRUE(trained("work2", run)) << run;
  for (const char* run : {"unpenalised", "cut", "shrunk", "adarad-smooth-0.1"})
    EXPECT_FALSE(trained("work2", run)) << run;
  EXPECT_THAT(read("out/why.md"), AllOf(HasSubstr("cpu`, then `./run reproduce why"), HasSubstr("--missing"),
                                        HasSubstr("| why-rectangles-shrunk |")));
}

TEST_F(WhyProgram, AnInterruptLeavesTheWaysThatEnded) {
  Started started(folder_, call_of("out", "work"));
  while (!trained("work", "shrunk") && !started.ended())
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  started.send(SIGINT);
  EXPECT_EQ(started.wait().code, 130);
  const std::string page = read("out/why.md");
  EXPECT_THAT(page, AllOf(HasSubstr("| pruned after training |"), HasSubstr("| begins with that size")));
  EXPECT_THAT(page, ::testing::Not(HasSubstr("| same size, momentum, no normalisation |")));
  ok(call_of("out", "work", {"--missing"}));
  ok(call_of("whole", "work"));
  EXPECT_EQ(read("out/why.csv"), read("whole/why.csv"));
}

}  // namespace
}  // namespace coppice::test
