#include "coppice/run/results_file.h"

#include "coppice/core/file.h"
#include "coppice/run/search_summary.h"

#include "tests/support.h"

#include <cmath>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using test::message_of;
using ::testing::HasSubstr;

TrialResult example_result(double step = 0.1) {
  return {.trial = {.hidden = {186, 43},
                    .optimizer = OptimizerKind::nesterov,
                    .step = step,
                    .norm = Norm::batchnorm_affine,
                    .seed = 7},
          .parameters = 1234,
          .validation_error = 1.0 / 3,
          .criterion = 2.0 / 3,
          .test_error = 0.3,
          .train_loss = 0.123456789012345678,
          .epochs = 120,
          .phase = "done"};
}

TEST(TrialJson, ComesBackExactly) {
  TrialResult failed = example_result();
  failed.phase = "failed";
  failed.validation_error = failed.criterion = std::nan("");
  failed.train_loss = std::nan("");
  failed.test_error = std::nullopt;
  EXPECT_THAT(trial_json(failed).dump(),
              HasSubstr(R"("validation_error":null,"criterion":null,"test_error":null)"));
  for (const TrialResult& result : {example_result(), failed}) {
    const std::string line = trial_json(result).dump();
    const auto back = parse_trial(nlohmann::json::parse(line));
    ASSERT_TRUE(back) << line;
    EXPECT_EQ(back->trial, result.trial);
    EXPECT_EQ(back->failed(), result.failed());
    EXPECT_EQ(trial_json(*back).dump(), line);
  }
}

TEST(TrialJson, LinesOfEarlierVersionsWereRankedByTheError) {
  nlohmann::json line = nlohmann::json::parse(trial_json(example_result()).dump());
  line.erase("criterion");
  EXPECT_EQ(parse_trial(line)->criterion, 1.0 / 3);
}

TEST(TrialJson, WhatIsNoResultIsNone) {
  EXPECT_FALSE(parse_trial(nullptr));
  EXPECT_FALSE(parse_trial({{"hidden", 3}}));
  nlohmann::json line = trial_json(example_result());
  line["optimizer"] = "newton";
  EXPECT_FALSE(parse_trial(line));
  line["optimizer"] = 3;
  EXPECT_FALSE(parse_trial(line));
  const nlohmann::json none = nlohmann::json::array();
  for (const auto& [key, value] : std::vector<std::pair<std::string, nlohmann::json>>{
           {"parameters", -3}, {"epochs", -1}, {"seed", -7}, {"hidden", none}, {"hidden", {5, -1}}}) {
    line = trial_json(example_result());
    line[key] = value;
    EXPECT_FALSE(parse_trial(line)) << line;
  }
}

class Results : public test::Folder {};

TEST_F(Results, AreReadBackAndACutOffLineIsDropped) {
  const std::string file = path("results.jsonl");
  {
    ResultsFile results(file, 5);
    results.append(example_result(1));
    results.append(example_result(2));
  }
  const std::string whole = read_file(file);
  const std::size_t first = whole.find('\n') + 1;
  for (std::size_t cut = first; cut < whole.size(); cut += 7) {
    write("results.jsonl", whole.substr(0, cut));
    ResultsFile results(file, 5);
    ASSERT_EQ(results.results().size(), 1U) << cut;
    EXPECT_NE(results.find(example_result(1).trial), nullptr);
    EXPECT_EQ(results.find(example_result(2).trial), nullptr);
    results.append(example_result(2));
    EXPECT_EQ(read_file(file), whole);
  }
}

TEST_F(Results, AreOrderedByTheTrialsInTheEnd) {
  const std::string file = path("results.jsonl");
  ResultsFile results(file, 5);
  for (const int seed : {4, 2, 3, 1}) results.append(example_result(seed));
  const std::string before = read_file(file);
  results.put_in_order(std::vector{example_result(2), example_result(1)});
  const std::string ordered = read_file(file);
  EXPECT_EQ(ordered.size(), before.size());
  ResultsFile again(path("again.jsonl"), 5);
  for (const int seed : {2, 1, 3, 4}) again.append(example_result(seed));
  EXPECT_EQ(ordered, read_file(path("again.jsonl"))) << "the search's own, then all others";
  EXPECT_EQ(ResultsFile(file, 5).results().size(), 4U);
}

TEST_F(Results, ZeroBytesOfALossOfPowerAreDropped) {
  const std::string file = path("results.jsonl");
  ResultsFile(file, 5).append(example_result());
  const std::string whole = read_file(file);
  for (const std::string& rest : {std::string(), whole.substr(0, 20)}) {
    write("results.jsonl", whole + rest + std::string(4096, '\0'));
    ResultsFile results(file, 5);
    EXPECT_EQ(results.results().size(), 1U);
    EXPECT_EQ(read_file(file), whole);
  }
  write("results.jsonl", std::string(4096, '\0'));
  EXPECT_EQ(ResultsFile(file, 5).results().size(), 0U);
}

TEST_F(Results, AnAlteredLineIsRefusedAndLeftAlone) {
  ResultsFile(path("r.jsonl"), 17).append(example_result());
  const std::string whole = read_file(path("r.jsonl"));
  const std::size_t error = whole.find("0.333");
  ASSERT_NE(error, std::string::npos);
  for (const std::size_t at :
       {error, error + 3, whole.size() - 4}) {  // the last one is in the checksum itself
    std::string text = whole;
    text[at] = text[at] == '5' ? '6' : '5';
    write_file(path("r.jsonl"), text);
    EXPECT_THAT(message_of([&] { const ResultsFile results(path("r.jsonl"), 17); }), HasSubstr("line 1"));
    EXPECT_EQ(read_file(path("r.jsonl")), text);
  }
}

TEST_F(Results, OfEarlierVersionsHaveNoChecksum) {
  ResultsFile(path("r.jsonl"), 17).append(example_result());
  std::string text = read_file(path("r.jsonl"));
  text.replace(text.find(",\"checksum\""), std::string::npos, "}\n");
  write_file(path("r.jsonl"), text);
  EXPECT_EQ(ResultsFile(path("r.jsonl"), 17).results().size(), 1U);
}

TEST_F(Results, OfAnotherSearchOrNoneAreRefusedAndLeftAlone) {
  const std::string file = path("results.jsonl");
  ResultsFile(file, 5).append(example_result());
  const std::string whole = read_file(file);
  EXPECT_THAT(message_of([&] { ResultsFile(file, 6); }), HasSubstr("other data or with other settings"));
  write("results.jsonl", whole + "{\"hidden\":[3]}\n" + whole);
  EXPECT_THAT(message_of([&] { ResultsFile(file, 5); }), HasSubstr("line 2"));
  for (const std::string other : {"my diary", "a,b\n1,2\n", "{\"event\":\"start\"}", "\n"}) {
    write("results.jsonl", other);
    EXPECT_THAT(message_of([&] { ResultsFile(file, 5); }), HasSubstr("line 1")) << other;
    EXPECT_EQ(read_file(file), other);
  }
}

}  // namespace
}  // namespace coppice
