#include "coppice/run/run.h"

#include "coppice/core/file.h"

#include "tests/run/support.h"

#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <set>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(NamesFile, TellsFilesFromFractions) {
  for (const char* file : {"a.csv", "./0.2", "0.2.csv", "/x/y"}) EXPECT_TRUE(names_file(file)) << file;
  for (const char* other : {"", "0.2", " 0.2 ", "1e-1", "7"}) EXPECT_FALSE(names_file(other)) << other;
}

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
                          .test_error = 0.02,
                          .epochs = 30,
                          .phase = "done",
                          .warm_from = std::nullopt,
                          .dominated = false,
                          .bytes = 1234,
                          .model = "net-0.coppice"});
  summary.nets.push_back(summary.nets[0]);
  summary.nets[1].id = 1;
  summary.nets[1].test_error = std::nullopt;
  summary.nets[1].train_loss = std::nan("");
  summary.nets[1].warm_from = 0;
  summary.nets[1].dominated = true;
  summary.best = 1;
  summary.chosen = 0;
  summary.pick = Pick::knee;
  summary.budget.parameters = 5000;
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
  EXPECT_THAT(keys(value), ElementsAre("nets", "points", "best", "chosen", "pick", "task", "seconds",
                                       "threads", "device", "version"));
  EXPECT_THAT(keys(value["nets"][0]),
              ElementsAre("id", "lambda", "seed", "hidden_units", "parameters", "train_loss",
                          "validation_error", "standard_error", "test_error", "epochs", "phase", "warm_from",
                          "dominated", "bytes", "model"));
  EXPECT_EQ(value["nets"][0]["validation_error"], 0.0127) << "a fraction";
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
  EXPECT_EQ(again.budget, example().budget);
  EXPECT_EQ(summary_json(again).dump(), text);
  for (const char* bad : {"{}", "[]", "7", R"({"nets":[]})", R"({"nets":[{"id":0}],"best":0})",
                          R"({"nets":[],"best":0,"seconds":1,"threads":1})"}) {
    message_of([&] { parse_summary(nlohmann::json::parse(bad), "s"); });
  }
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
  for (const char* name : {"points", "chosen", "pick", "task"}) value.erase(name);
  for (const char* name : {"standard_error", "warm_from", "dominated", "bytes"}) value["nets"][0].erase(name);
  EXPECT_EQ(parse_summary(value, "s").chosen, 1U) << "the best was the model";
}

TEST(FrontPoints, SeedsOfALambdaTogether) {
  Summary summary = example();
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

class Prepare : public Folder {
 protected:
  std::string table(std::size_t rows, std::size_t rare_every = 4) const {
    std::string text = "a,b,y\n";
    for (std::size_t i = 0; i < rows; ++i) {
      text += fmt::format("{},{},{}\n", i % 17, i * i % 23, i % rare_every == 0 ? "rare" : "usual");
    }
    return write("d.csv", text);
  }

  static RunOptions options_for(const std::string& data) {
    RunOptions options;
    options.data = data;
    options.encoding.target = std::string("y");  // gcc 12 takes a plain literal for an overlap
    return options;
  }

  static double share(const Dataset& data, const std::vector<std::uint32_t>& rows, std::uint32_t label) {
    double count = 0;
    for (const std::uint32_t row : rows) count += data.labels[row] == label ? 1 : 0;
    return count / static_cast<double>(rows.size());
  }
};

TEST_F(Prepare, FractionsAreSplitByClassAndNoRowIsUsedTwice) {
  RunOptions options = options_for(table(1200));
  options.test = "0.25";
  options.validation = "0.2";
  const PreparedData prepared = prepare_data(options);
  EXPECT_EQ(prepared.test_rows.size(), 300U);
  const NetData net = prepared.net_data(1);
  EXPECT_EQ(net.validation_rows.size(), 180U);
  EXPECT_EQ(net.train_rows.size(), 720U);
  std::set<std::uint32_t> seen;
  for (const auto* rows : {&prepared.test_rows, &net.validation_rows, &net.train_rows}) {
    seen.insert(rows->begin(), rows->end());
    EXPECT_NEAR(share(prepared.train, *rows, 0), 0.25, 0.003) << "stratified";
  }
  EXPECT_EQ(seen.size(), 1200U);
  EXPECT_EQ(options.training.batch_size, 32U);
  EXPECT_NE(prepared.net_data(2).train_rows, net.train_rows) << "one split per seed";
  EXPECT_EQ(prepared.net_data(1).train_rows, net.train_rows);
}

TEST_F(Prepare, ASixthValidatesAndTheBatchSizeFits) {
  RunOptions options = options_for(table(6000));
  const PreparedData prepared = prepare_data(options);
  EXPECT_EQ(prepared.net_data(0).validation_rows.size(), 1000U);
  EXPECT_EQ(options.training.batch_size, 100U);
  EXPECT_FALSE(prepared.has_test());
  RunOptions asked = options_for(table(6000));
  asked.training.batch_size = 7;
  prepare_data(asked);
  EXPECT_EQ(asked.training.batch_size, 7U) << "the user's own stays";
}

TEST_F(Prepare, TablesAreScaledByColumnFromTrainingRowsOnly) {
  RunOptions options = options_for(table(600));
  options.test = "0.5";
  const PreparedData prepared = prepare_data(options);
  EXPECT_EQ(prepared.encoding.scaling, Scaling::column);
  for (std::size_t k = 0; k < 2; ++k) {
    double mean = 0;
    double squares = 0;
    for (const std::uint32_t row : prepared.rows) {
      mean += prepared.train.inputs(row, k) / 300.0;
      squares += std::pow(prepared.train.inputs(row, k), 2) / 300.0;
    }
    EXPECT_NEAR(mean, 0, 1e-5);
    EXPECT_NEAR(squares, 1, 1e-5);
  }
  options = options_for(table(600));
  options.encoding.scaling = Scaling::none;
  const PreparedData raw = prepare_data(options);
  EXPECT_EQ(raw.train.inputs(5, 0), 5.0F);
}

TEST_F(Prepare, ImagesAreScaledTogether) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += fmt::format("{} {} {}\n", i % 5, 100 + i % 3, i % 2);
  RunOptions options;
  options.data = write("d.amat", text);
  EXPECT_EQ(prepare_data(options).encoding.scaling, Scaling::global);
}

TEST_F(Prepare, FilesOfTheirOwnAreEncodedLikeTheData) {
  RunOptions options = options_for(table(100));
  options.validation = write("v.csv", "y,b,a\nusual,3,4\nrare,1,1\n");
  options.test = write("t.csv", "a,b,y\n4,3,usual\n1,1,odd\n");
  const PreparedData prepared = prepare_data(options);
  ASSERT_TRUE(prepared.validation && prepared.test);
  EXPECT_EQ(prepared.rows.size(), 100U) << "all rows train";
  EXPECT_EQ(prepared.net_data(0).train_rows.size(), 100U);
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_EQ(prepared.validation->inputs(0, k), prepared.test->inputs(0, k));
  EXPECT_EQ(prepared.test->labels[1], 2U) << "a class never seen";
  EXPECT_THAT(prepared.warnings, ::testing::Contains(HasSubstr("\"odd\"")));
  EXPECT_TRUE(prepared.checksums.contains("data") && prepared.checksums.contains("validation") &&
              prepared.checksums.contains("test"));
  options = options_for(table(100));
  options.validation = write("v.csv", "a,b\n1,2\n");
  EXPECT_THAT(message_of([&] { prepare_data(options); }), HasSubstr("\"y\""));
}

TEST_F(Prepare, BadFractionsNameTheFlag) {
  for (const char* value : {"0", "1", "-0.1", "2", "nan", "inf"}) {
    RunOptions options = options_for(table(20));
    options.test = value;
    EXPECT_THAT(message_of([&] { prepare_data(options); }), HasSubstr("--test")) << value;
    options.test.clear();
    options.validation = value;
    EXPECT_THAT(message_of([&] { prepare_data(options); }), HasSubstr("--validation")) << value;
  }
}

TEST_F(Prepare, TwoRowsAreEnough) {
  RunOptions options = options_for(write("d.csv", "a,y\n1,p\n2,q\n"));
  const PreparedData prepared = prepare_data(options);
  const NetData net = prepared.net_data(0);
  EXPECT_EQ(net.train_rows.size(), 1U);
  EXPECT_EQ(net.validation_rows.size(), 1U);
  options.test = "0.5";
  EXPECT_THAT(message_of([&] { prepare_data(options); }), HasSubstr("d.csv"));
}

TEST_F(Prepare, IdsComeBackAsTheyStand) {
  RunOptions options = options_for(write("d.csv", "id,a,y\nx1,1,p\n007,2,q\nx3,3,p\n"));
  options.encoding.ids = {"id"};
  const PreparedData prepared = prepare_data(options);
  std::vector<std::string> warnings;
  const LoadedData loaded =
      load_for(prepared.encoding, write("p.csv", "a,id\n5,0042\n6,\n"), false, warnings);
  EXPECT_THAT(loaded.id_names, ElementsAre("id"));
  EXPECT_THAT(loaded.ids[0], ElementsAre("0042", ""));
  EXPECT_EQ(loaded.data.rows(), 2U);
}

TEST_F(Prepare, AFailedRunLeavesNoDirectory) {
  RunOptions options = options_for(write("d.csv", "a,y\n1,p\n2,p\n"));
  message_of([&] { Run::create(options, path("deep/run")); });
  EXPECT_FALSE(std::filesystem::exists(path("deep")));
}

TEST_F(Prepare, OnlyOneRunCanBeInADirectory) {
  RunOptions options = options_for(write("d.csv", "a,y\n1,p\n2,q\n3,p\n4,q\n5,p\n6,q\n"));
  options.device = Device::cpu;
  const auto resume = [&] { return coppice::Run::resume(path("run"), [](RunOptions&) {}); };
  {
    coppice::Run run = coppice::Run::create(options, path("run"));
    EXPECT_THAT(message_of([&] { Run::create(options, path("run")); }), HasSubstr("another coppice process"));
    const coppice::Run moved = std::move(run);
    EXPECT_THAT(message_of(resume), HasSubstr("another coppice process"));
  }
  EXPECT_EQ(resume().directory(), path("run"));
  EXPECT_THAT(message_of([&] { Run::create(options, path("run")); }), HasSubstr("already holds a run"));
}

}  // namespace
}  // namespace coppice
