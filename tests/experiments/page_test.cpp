#include "experiments/page.h"

#include "coppice/core/file.h"

#include "experiments/entries.h"
#include "tests/support.h"

#include <gmock/gmock.h>

namespace coppice::experiments {
namespace {

using test::message_of;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Pages : public test::Folder {
 protected:
  void SetUp() override {
    Folder::SetUp();
    session.counts = counts_of("small");
    session.out = path("out");
    page.name = "figure4";
    page.title = "Figure 4: a run";
    page.introduction = "What was done.";
    page.provenances = {{.name = "run",
                         .command = "coppice train x.csv",
                         .seeds = "0 to 9",
                         .device = "CPU, 2 threads",
                         .precision = "fp32",
                         .seconds = 1.25}};
  }
  std::string out(const std::string& name) const { return read_file(path("out/" + name)); }

  Session session;
  EntryPage page;
};

TEST_F(Pages, VerdictsAreCountedOursApartFromThePapers) {
  const Judged yes{Verdict::holds, "t"};
  const Judged no{Verdict::fails, "t"};
  const Judged open{Verdict::undecided, "sign test: 5 of 10"};
  page.claims = {{"a", "1", yes}, {"b", "2", no}, {"c", "3", open}, {"d", "4", open}, {"e", "5", yes, true}};
  const std::string text = page_markdown(page, session);
  EXPECT_THAT(
      text,
      HasSubstr("\nClaims: the paper's 4: 1 holds, 1 does not, 2 are undecided; our own 1: 1 holds (scale "
                "small; CPU, 2 threads).\n"));
  EXPECT_THAT(text, HasSubstr("| c | 3 | sign test: 5 of 10 | undecided |"));
  EXPECT_THAT(text, HasSubstr("| b | 2 | t | **does not** |"));
  EXPECT_THAT(text, HasSubstr("| ours: e | 5 | t | holds |"));
  page.claims = {{"a", "1", no}, {"a", "1", no}, {"a", "1", yes}, {"a", "1", yes}};
  EXPECT_THAT(page_markdown(page, session), HasSubstr("Claims: the paper's 4: 2 hold, 2 do not (scale"));
}

TEST_F(Pages, EveryRunNamesCommandSeedsDeviceAndPrecision) {
  const std::string text = page_markdown(page, session);
  EXPECT_THAT(text, HasSubstr("| run | `coppice train x.csv` | 0 to 9 | CPU, 2 threads | fp32 | 1.2 |"));
  EXPECT_THAT(text, HasSubstr("`./run reproduce figure4 --scale small`"));
  session.counts.seeds = 4;
  EXPECT_THAT(page_markdown(page, session), HasSubstr("--scale small --set seeds=4`"));
}

TEST_F(Pages, CellsCannotBreakTables) {
  EXPECT_EQ(markdown_table({{"a"}, {"x | y\nz"}}), "| a |\n|---|\n| x \\| y z |\n");
  EXPECT_EQ(csv_text({{"a", "b,c", "d\"e"}, {"1", "", "x\ny"}}), "a,\"b,c\",\"d\"\"e\"\n1,,\"x\ny\"\n");
  EXPECT_EQ(parse_csv("a,\"b,c\",\"d\"\"e\"\n1,,\"x\ny\"\n"),
            (Rows{{"a", "b,c", "d\"e"}, {"1", "", "x\ny"}}));
  EXPECT_EQ(csv_number(std::nan("")), "");
  EXPECT_EQ(csv_number(0.0125), "0.0125");
  EXPECT_EQ(csv_number(1.23456, 3), "1.23");
}

TEST_F(Pages, TheIndexNamesThoseThatAreThere) {
  write_entry(session, page, {{"a"}}, Svg(2, 1, "x"));
  EXPECT_EQ(out("figure4.csv"), "a\n");
  EXPECT_THAT(out("figure4.svg"), AllOf(HasSubstr("<svg"), HasSubstr(".mark.black")));
  EXPECT_THAT(out("README.md"), HasSubstr("| [figure4](figure4.md) | Figure 4: a run |"));
  EXPECT_THAT(out("README.md"), Not(HasSubstr("table1")));
  page.name = "table1";
  page.title = "Table 1: costs";
  page.claims = {{"a", "1", {Verdict::holds, "t"}}};
  write_entry(session, page, {{"a"}}, Svg(2, 1, "x"));
  EXPECT_THAT(out("README.md"), HasSubstr("[figure4]"));
  EXPECT_THAT(out("README.md"), HasSubstr("| [table1](table1.md) | Table 1: costs | Claims: the paper's 1: 1 "
                                          "holds (scale small; CPU, 2 threads). |"));
}

TEST_F(Pages, NotesBesideAPageBecomePartOfIt) {
  std::filesystem::create_directories(session.out);
  write("out/figure4.notes.md", "Why that is so.\n");
  write_entry(session, page, {}, Svg(2, 1, "x"));
  EXPECT_THAT(out("figure4.md"), HasSubstr("Why that is so."));
}

TEST(Entries, AreChosenByNameInTheirOwnOrder) {
  const std::vector<Entry> some = entries_named({"scaling", "table1"});
  ASSERT_EQ(some.size(), 2U);
  EXPECT_EQ(some[0].name, "table1");
  EXPECT_EQ(entries_named({"all"}).size(), all_entries().size());
  EXPECT_THAT(message_of([] { entries_named({"figure9"}); }), HasSubstr("\"figure9\""));
}

}  // namespace
}  // namespace coppice::experiments
