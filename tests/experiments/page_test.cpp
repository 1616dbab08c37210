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

TEST_F(Pages, TheVerdictIsCountedFromTheClaims) {
  page.claims = {{"a", "1", true}, {"b", "2", false}, {"c", "3", std::nullopt}};
  EXPECT_THAT(page_markdown(page, session),
              HasSubstr("\n1 of 2 claims hold (scale small; CPU, 2 threads).\n"));
  page.claims = {{"a", "1", true}};
  EXPECT_THAT(page_markdown(page, session), HasSubstr("The claim holds"));
  page.claims = {{"a", "1", false}};
  EXPECT_THAT(page_markdown(page, session), HasSubstr("The claim does not hold"));
  page.claims = {{"a", "1", true}, {"b", "2", true}, {"b", "2", true}};
  EXPECT_THAT(page_markdown(page, session), HasSubstr("All 3 claims hold"));
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
  page.claims = {{"a", "1", true}};
  write_entry(session, page, {{"a"}}, Svg(2, 1, "x"));
  EXPECT_THAT(out("README.md"), HasSubstr("[figure4]"));
  EXPECT_THAT(
      out("README.md"),
      HasSubstr("| [table1](table1.md) | Table 1: costs | The claim holds (scale small; CPU, 2 threads). |"));
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
