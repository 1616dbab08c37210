#include "experiments/stored.h"

#include "coppice/core/file.h"

#include "experiments/entries.h"
#include "tests/support.h"

#include <filesystem>
#include <gmock/gmock.h>

namespace coppice::experiments {
namespace {

using test::message_of;
using ::testing::HasSubstr;

using Stored = test::Folder;

TEST_F(Stored, AnEntryIsReadAsItWasWritten) {
  Session session{.scale = "paper", .counts = counts_of("paper"), .out = path("out"), .device = Device::cuda};
  session.counts.seeds = 4;
  session.counts.trials = 7;
  const Provenance made{.name = "run",
                        .command = "coppice train \"x\"",
                        .seeds = "0 to 3",
                        .device = "CPU",
                        .precision = "fp32",
                        .seconds = 1.5};
  const EntryPage page{.name = "table2",
                       .title = "T",
                       .provenances = {made},
                       .data = {{.name = "poker", .origin = "poker: own", .made_by = {"a", "b"}}},
                       .version = "0.0.7"};
  const Rows rows{{"units", "x, y"}, {"64-11", "a \"b\",\nc"}, {"", ""}};
  write_entry(session, page, rows, Svg(2, 1, "x"));
  Session read;
  read.out = session.out;
  const StoredEntry stored = read_stored(read, "table2");
  EXPECT_EQ(stored.rows, rows);
  EXPECT_EQ(read.counts, session.counts);
  EXPECT_EQ(read.command("table2"), session.command("table2"));
  EXPECT_EQ(stored.version, "0.0.7");
  EXPECT_EQ(stored.provenance("run").command, made.command);
  EXPECT_EQ(stored.provenance("run").seconds, made.seconds);
  EXPECT_EQ(stored.data_of("poker").made_by.size(), 2U);
  EXPECT_EQ(stored.units(1), (std::vector<std::size_t>{64, 11}));
  EXPECT_TRUE(stored.units(2).empty());
  EXPECT_TRUE(std::isnan(stored.number(2, "x, y")));
  EXPECT_THAT(message_of([&] { (void)stored.cell(1, "z"); }), HasSubstr("\"z\""));
  EXPECT_THAT(message_of([&] { (void)stored.provenance("other"); }), HasSubstr("\"other\""));
}

TEST_F(Stored, WhatIsNotThereOrDamagedIsNamed) {
  Session session{.out = path("out")};
  std::filesystem::create_directories(session.out);
  EXPECT_THAT(message_of([&] { read_stored(session, "figure3"); }), HasSubstr("figure3.csv"));
  write("out/figure3.csv", "a\n1\n");
  EXPECT_THAT(message_of([&] { read_stored(session, "figure3"); }), HasSubstr("figure3.made.json"));
  for (const char* text : {"", "[]", "{\"scale\": 1}"}) {
    write("out/figure3.made.json", text);
    EXPECT_THAT(message_of([&] { read_stored(session, "figure3"); }), HasSubstr("make the entry anew"))
        << text;
  }
}

/// The pages that were committed are what their data says by the rules of today, and so are pictures that are drawn from it
/// alone.
TEST_F(Stored, CommittedPagesAreJudgedByTheRulesOfToday) {
  const std::string out = path("out");
  std::filesystem::copy(COPPICE_PAGES, out, std::filesystem::copy_options::recursive);
  for (const Entry& entry : all_entries()) {
    const std::string name(entry.name);
    if (name == "data" || !std::filesystem::exists(out + "/" + name + ".csv")) continue;
    Session session;
    session.out = out;
    const StoredEntry stored = read_stored(session, name);
    entry.judge(session, stored);
    EXPECT_TRUE(read_file(out + "/" + name + ".md") == read_file(COPPICE_PAGES "/" + name + ".md"))
        << name << ": ./run reproduce " << name << " --stored writes it anew";
    EXPECT_TRUE(read_file(out + "/" + name + ".svg") == read_file(COPPICE_PAGES "/" + name + ".svg"))
        << name << ".svg, the same";
  }
  EXPECT_EQ(read_file(out + "/README.md"), read_file(COPPICE_PAGES "/README.md"));
}

}  // namespace
}  // namespace coppice::experiments
