#include "coppice/run/summary.h"

#include "coppice/api/choose.h"
#include "coppice/core/text.h"
#include "coppice/version.h"

#include "tests/support.h"

#include <cmath>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Summary example() {
  Summary summary;
  summary.nets.push_back({.id = 0,
                          .lambda = 1e-3,
                          .seed = 4,
                          .hidden_units = {12, 7},
                          .parameters = 100,
                          .train_loss = 0.5,
                          .validation_error = 0.0127,
                          .standard_error = 0.001,
                          .log_loss = 0.05,
                          .log_loss_deviation = 0.01,
                          .criterion = 0.05,
                          .criterion_deviation = 0.01,
                          .test_error = 0.02,
                          .epochs = 30,
                          .phase = "done",
                          .warm_from = std::nullopt,
                          .dominated = false,
                          .bytes = 1234,
                          .flash = 567,
                          .one_answer = false,
                          .kind = NetKind::grown,
                          .inputs = 9});
  summary.nets.push_back(summary.nets[0]);
  summary.nets[1].id = 1;
  summary.nets[1].test_error = std::nullopt;
  summary.nets[1].train_loss = std::nan("");
  summary.nets[1].warm_from = 0;
  summary.nets[1].dominated = true;
  summary.nets[1].log_loss = std::nullopt;
  summary.nets[1].one_answer = true;
  summary.nets[1].kind = NetKind::fixed;
  summary.base = BaseRate{.answer = "no", .error = 0.2, .log_loss = 0.5};
  summary.best = 1;
  summary.chosen = 0;
  summary.pick = Pick::knee;
  summary.max_parameters = 5000;
  summary.bytes_for = BytesFor::c_int8;
  summary.seconds = 12.5;
  summary.threads = 2;
  return summary;
}

TEST(SummaryJson, HasExactlyTheKeysOfTheContractInItsOrder) {
  const nlohmann::ordered_json value = summary_json(example());
  const auto keys = [](const nlohmann::ordered_json& object) {
    std::vector<std::string> names;
    for (const auto& [key, entry] : object.items()) names.push_back(key);
    return names;
  };
  EXPECT_THAT(keys(value), ElementsAre("nets", "points", "best", "chosen", "pick", "metric", "ties", "task",
                                       "base_rate", "seconds", "threads", "device", "version"));
  EXPECT_THAT(
      keys(value["nets"][0]),
      ElementsAre("id", "lambda", "seed", "hidden_units", "parameters", "train_loss", "validation_error",
                  "standard_error", "log_loss", "log_loss_deviation", "criterion", "criterion_deviation",
                  "test_error", "epochs", "phase", "warm_from", "refit", "taught", "dominated", "bytes",
                  "flash", "one_answer", "bins", "fold", "members", "kind", "beginning", "inputs", "model"));
  EXPECT_EQ(value["nets"][0]["validation_error"], 0.0127) << "a fraction";
  EXPECT_EQ(value["nets"][0]["model"], "net-0.coppice");
  EXPECT_EQ(value["nets"][1]["model"], "net-1.coppice");
  EXPECT_EQ(value["device"], "cpu");
  EXPECT_EQ(value["version"], version());
}

TEST(SummaryJson, IsReadBack) {
  const std::string text = summary_json(example()).dump();
  const Summary again = parse_summary(nlohmann::json::parse(text), "s");
  EXPECT_TRUE(std::isnan(again.nets[1].train_loss));
  EXPECT_FALSE(again.nets[1].test_error.has_value());
  EXPECT_EQ(again.best, 1U);
  EXPECT_EQ(again.chosen, 0U);
  EXPECT_EQ(again.nets[1].warm_from, 0U);
  EXPECT_EQ(again.max_parameters, 5000U);
  EXPECT_FALSE(again.max_bytes.has_value());
  EXPECT_EQ(again.bytes_for, BytesFor::c_int8);
  EXPECT_EQ(again.pick, Pick::knee);
  EXPECT_EQ(summary_json(again).dump(), text);
  for (const char* bad : {"{}", "[]", "7", R"({"nets":[]})", R"({"nets":[{"id":0}],"best":0})",
                          R"({"nets":[],"best":0,"seconds":1,"threads":1})"}) {
    message_of([&] { parse_summary(nlohmann::json::parse(bad), "s"); });
  }
}

TEST(SummaryJson, CountsThatAreNoneAreRefused) {
  const nlohmann::json good = nlohmann::json::parse(summary_json(example()).dump());
  for (const char* wrong : {"-1", "1.5", "1e300", "\"7\""}) {
    for (const char* pointer :
         {"/nets/0/seed", "/nets/0/id", "/nets/0/epochs", "/nets/0/parameters", "/nets/0/hidden_units/0",
          "/nets/1/warm_from", "/nets/0/bytes", "/best", "/chosen", "/threads"}) {
      nlohmann::json value = good;
      value[nlohmann::json::json_pointer(pointer)] = nlohmann::json::parse(wrong);
      EXPECT_THAT(message_of([&] { parse_summary(value, "s"); }), HasSubstr("not a summary"))
          << pointer << wrong;
    }
  }
}

TEST(SummaryJson, RepetitionsStandInItIfThereWereAny) {
  Summary summary = example();
  EXPECT_FALSE(summary_json(summary).contains("repetitions"));
  summary.repetitions = {{.seed = 1, .parameters = 10, .validation_error = 0.25, .test_error = 0.5},
                         {.seed = 2, .parameters = 20, .validation_error = 0.5, .test_error = {}}};
  const nlohmann::ordered_json value = summary_json(summary);
  EXPECT_EQ(value["repetitions"][0].dump(),
            R"({"seed":1,"parameters":10,"validation_error":0.25,"test_error":0.5})");
  EXPECT_TRUE(value["repetitions"][1]["test_error"].is_null());
  EXPECT_EQ(summary_json(parse_summary(nlohmann::json::parse(value.dump()), "s")).dump(), value.dump());
}

TEST(SummaryJson, ABudgetThatNothingFitsHasNoChosenNet) {
  Summary summary = example();
  summary.chosen.reset();
  const nlohmann::ordered_json value = summary_json(summary);
  EXPECT_TRUE(value["chosen"].is_null());
  EXPECT_FALSE(parse_summary(nlohmann::json::parse(value.dump()), "s").chosen.has_value());
}

TEST(SummaryJson, RunsOfOlderVersionsAreRead) {
  nlohmann::json value = nlohmann::json::parse(summary_json(example()).dump());
  for (const char* name : {"points", "chosen", "pick", "task", "metric", "ties", "base_rate"})
    value.erase(name);
  for (const char* name : {"standard_error", "log_loss", "log_loss_deviation", "criterion",
                           "criterion_deviation", "warm_from", "refit", "taught", "dominated", "bytes",
                           "flash", "one_answer", "bins", "fold", "members", "kind", "beginning", "inputs"})
    value["nets"][0].erase(name);
  const Summary old = parse_summary(value, "s");
  EXPECT_EQ(old.chosen, 1U) << "the best was the model";
  const NetResult& net = old.nets[0];
  EXPECT_FALSE(net.refit || net.taught || net.one_answer || net.bins);
  EXPECT_FALSE(net.log_loss || net.criterion || net.warm_from);
  EXPECT_TRUE(std::isnan(net.standard_error) && std::isnan(net.criterion_deviation));
  EXPECT_EQ(net.log_loss_deviation, 0.0);
  EXPECT_EQ(net.bytes + net.flash + net.fold + net.members.size() + net.beginning + net.inputs, 0U);
  EXPECT_EQ(net.kind, NetKind::grown);
}

TEST(FrontPoints, SeedsOfALambdaTogether) {
  Summary summary = example();
  summary.nets[1].kind = NetKind::grown;
  summary.nets.push_back(summary.nets[0]);
  summary.nets[1].parameters = 300;
  summary.nets[2].lambda = 0.5;
  const std::vector<FrontPoint> points = points_of(summary);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_THAT(points[0].nets, ElementsAre(0, 1));
  EXPECT_EQ(points[0].parameters.median, 200);
  EXPECT_EQ(points[0].parameters.high, 300);
  ASSERT_TRUE(points[0].test_error.has_value());
  EXPECT_EQ(points[0].test_error->median, 0.02);
  EXPECT_THAT(points[1].nets, ElementsAre(2));
}

TEST(FrontPoints, NetsOfFixedSizeByTheirSize) {
  Summary summary = example();
  for (const std::size_t units : {5U, 6U, 5U}) {
    summary.nets.push_back(summary.nets[0]);
    summary.nets.back().lambda = 0;
    summary.nets.back().kind = NetKind::fixed;
    summary.nets.back().hidden_units = {units};
    summary.nets.back().seed = summary.nets.size();
  }
  summary.nets.erase(summary.nets.begin() + 1);
  std::vector<FrontPoint> points = points_of(summary);
  ASSERT_EQ(points.size(), 3U);
  EXPECT_THAT(points[1].nets, ElementsAre(1, 3));
  EXPECT_EQ(points[1].kind, NetKind::fixed);
  EXPECT_THAT(points[2].nets, ElementsAre(2));
  summary.nets[3].inputs = 4;
  EXPECT_EQ(points_of(summary).size(), 4U) << "fewer columns are another net";
  summary.nets[3].inputs = summary.nets[1].inputs;
  summary.nets[3].seed = summary.nets[1].seed;
  EXPECT_EQ(points_of(summary).size(), 4U) << "and so are other columns";
}

TEST(SizingText, ALambdaOrFixed) {
  EXPECT_EQ(sizing_text(NetKind::grown, 3e-4), "0.0003");
  EXPECT_EQ(sizing_text(NetKind::fixed, 0), "fixed");
  EXPECT_EQ(sizing_text(NetKind::fixed, 0.01), "0.01") << "a penalty has shrunk it";
}

TEST(ErrorText, IsAShareOfRowsOrANumber) {
  EXPECT_EQ(error_text(Task::classification, 0.0127), share_text(0.0127));
  EXPECT_EQ(error_text(Task::regression, 12.34567), "12.35");
  EXPECT_EQ(error_text(Task::regression, std::nan("")), share_text(std::nan("")));
}

}  // namespace
}  // namespace coppice
