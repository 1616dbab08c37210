#include "coppice/report/record.h"

#include "tests/report/run_directory.h"

#include <filesystem>
#include <gmock/gmock.h>

namespace coppice::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Record = RunDirectory;

Json net_json(std::size_t parameters, double error) {
  return {{"id", 0},
          {"lambda", 1e-3},
          {"seed", 0},
          {"hidden_units", {3, 2}},
          {"parameters", parameters},
          {"train_loss", 1},
          {"validation_error", error},
          {"test_error", nullptr},
          {"epochs", 4},
          {"phase", "done"},
          {"model", "m"}};
}

TEST_F(Record, DominatedNetsAreFoundWhereTheSummaryDoesNotMarkThem) {
  write_run({});
  write_summary(
      {net_json(100, 0.2), net_json(100, 0.1), net_json(200, 0.1), net_json(300, 0.05), net_json(100, 0.1)});
  const RunRecord run = read_run(directory());
  std::vector<bool> dominated;
  for (const NetResult& net : run.nets) dominated.push_back(net.dominated);
  EXPECT_EQ(dominated, (std::vector<bool>{true, false, true, false, true}))
      << "of equal nets the first is on the front";
}

TEST_F(Record, TheChosenNetIsTheSummarysChoice) {
  write_run({});
  Json summary = Json::parse(R"({"nets":[],"best":0,"chosen":1,"seconds":1,"threads":1,"version":"1"})");
  summary["nets"] = {net_json(100, 0.1), net_json(50, 0.2)};
  write("summary.json", summary.dump());
  EXPECT_EQ(read_run(directory()).chosen, 1U);
  summary["chosen"] = nullptr;
  write("summary.json", summary.dump());
  EXPECT_FALSE(read_run(directory()).fits);
  EXPECT_EQ(read_run(directory()).chosen, 0U) << "the best one stands in";
  summary["chosen"] = 2;
  write("summary.json", summary.dump());
  EXPECT_THAT(message_of([&] { read_run(directory()); }), HasSubstr("names a net that it does not list"));
}

TEST_F(Record, WhatIsMissingOrBrokenIsNamed) {
  EXPECT_THAT(message_of([&] { read_run(path("nowhere")); }), HasSubstr("there is no such directory"));
  EXPECT_THAT(message_of([&] { read_run(directory()); }), HasSubstr("holds no run"));
  write("config.json", "{}");
  EXPECT_THAT(message_of([&] { read_run(directory()); }),
              AllOf(HasSubstr("not finished"), HasSubstr("--resume")));
  write_run({});
  std::filesystem::remove(path("journal.jsonl"));
  EXPECT_THAT(message_of([&] { read_run(directory()); }), HasSubstr("journal.jsonl: is missing"));
  for (const char* name : {"config.json", "summary.json", "analysis.json"}) {
    write_run({});
    for (const char* bytes : {"", "{", "[1]", "\xff\xfe"}) {
      write(name, bytes);
      EXPECT_THAT(message_of([&] { read_run(directory()); }), HasSubstr(name)) << bytes;
    }
    std::filesystem::remove(path(name));
  }
  write_run({});
  write("summary.json", R"({"nets":[{"id":0}],"best":0})");
  EXPECT_THAT(message_of([&] { read_run(directory()); }), HasSubstr("summary.json: is not a summary"));
}

}  // namespace
}  // namespace coppice::test
