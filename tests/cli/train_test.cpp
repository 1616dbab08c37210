#include "tests/cli/program.h"

#include <cmath>
#include <gmock/gmock.h>

#include <fmt/format.h>

namespace coppice::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

class Train : public Program {};

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

TEST_F(Train, AMixedTableIsLearnedPredictedAndEvaluatedFromTheRawFile) {
  write("train.csv", mixed_csv(1500));
  write("test.csv", mixed_csv(500, 2));
  const Outcome trained = ok({"train", "train.csv", "--target", "kind", "--id", "id", "--test", "test.csv",
                              "--max-epochs", "120", "-o", "run", "--seed", "3"});
  EXPECT_THAT(trained.errors, AllOf(HasSubstr("train.csv: 1500 rows, csv, delimiter ','"),
                                    HasSubstr("cat, dog"), HasSubstr("classification")));
  EXPECT_THAT(trained.out,
              AllOf(HasSubstr("lambda"), HasSubstr("test error"), HasSubstr("run/model.coppice")));

  const Json metrics = ok({"evaluate", "run/model.coppice", "test.csv", "--json"}).json();
  EXPECT_EQ(metrics["rows"], 500);
  EXPECT_LT(metrics["error"], 0.15) << "the majority class alone would be wrong in 40 %";
  EXPECT_EQ(metrics["classes"], Json::parse(R"(["cat","dog"])"));
  const Json summary = read_json("run/summary.json");
  EXPECT_NEAR(summary["nets"][summary["chosen"].get<std::size_t>()]["test_error"], metrics["error"], 1e-12);
  std::size_t total = 0;
  std::size_t right = 0;
  for (std::size_t i = 0; i < metrics["confusion"].size(); ++i) {
    for (std::size_t k = 0; k < 2; ++k) {
      total += metrics["confusion"][i][k].get<std::size_t>();
      if (i == k) right += metrics["confusion"][i][k].get<std::size_t>();
    }
  }
  EXPECT_EQ(total, 500U);
  EXPECT_NEAR(1 - static_cast<double>(right) / 500, metrics["error"], 1e-12);

  const auto rows = cells_of(ok({"predict", "run/model.coppice", "test.csv"}).out);
  ASSERT_EQ(rows.size(), 501U);
  EXPECT_THAT(rows[0], ElementsAre("id", "prediction", "probability_cat", "probability_dog"));
  const auto truth = cells_of(read("test.csv"));
  std::size_t wrong = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i][0], truth[i][0]) << "ids are passed through in order";
    const double cat = std::stod(rows[i][2]);
    EXPECT_NEAR(cat + std::stod(rows[i][3]), 1, 2e-6);
    if (std::abs(cat - 0.5) > 1e-5) {
      EXPECT_EQ(rows[i][1], cat > 0.5 ? "cat" : "dog");
    }
    wrong += rows[i][1] != truth[i][4] ? 1U : 0U;
  }
  EXPECT_NEAR(static_cast<double>(wrong) / 500, metrics["error"], 1e-12) << "predict and evaluate agree";
}

TEST_F(Train, PredictionsDoNotDependOnTheOrderOfColumnsOnExtraOnesOrOnTheTarget) {
  write("train.csv", mixed_csv(300));
  ok({"train", "train.csv", "--target", "kind", "--id", "id", "--max-epochs", "10", "-o", "run", "--quiet"});
  write("plain.csv", "id,x,y,colour,kind\na,0.5,-0.5,red,cat\nb,,0.1,never seen,dog\n");
  write("other.csv", "extra,colour,y,id,x\n9,red,-0.5,a,0.5\n9,never seen,0.1,b,\n");
  const Outcome plain = ok({"predict", "run/model.coppice", "plain.csv"});
  const Outcome other = ok({"predict", "run/model.coppice", "other.csv"});
  EXPECT_EQ(plain.out, other.out);
  EXPECT_EQ(plain.errors, "");
  EXPECT_THAT(other.errors, AllOf(StartsWith("warning: "), HasSubstr("extra"), HasSubstr("ignored")));
  write("few.csv", "colour,id,x\nred,a,0.5\n");
  refused({"predict", "run/model.coppice", "few.csv"}, {"few.csv", "\"y\"", "missing", "colour, id, x"});
  write("no-id.csv", "colour,y,x\nred,1,0.5\n");
  const Outcome no_id = ok({"predict", "run/model.coppice", "no-id.csv"});
  EXPECT_THAT(no_id.errors, AllOf(StartsWith("warning: "), HasSubstr("id")));
  EXPECT_EQ(cells_of(no_id.out)[0][0], "prediction");
}

TEST_F(Train, RegressionReachesTheTargetInItsOwnUnits) {
  write("train.csv", linear_csv(1000));
  write("test.csv", linear_csv(200, 2));
  const Outcome trained = ok({"train", "train.csv", "--target", "y", "--max-epochs", "150", "-o", "run",
                              "--activation", "identity", "--hidden-layers", "1"});
  EXPECT_THAT(trained.errors, HasSubstr("regression"));
  const Json metrics = ok({"evaluate", "run/model.coppice", "test.csv", "--json"}).json();
  EXPECT_THAT(keys_of(metrics), UnorderedElementsAre("rows", "error", "rmse", "mae", "r2", "one_answer"));
  EXPECT_NEAR(metrics["error"].get<double>(), 1 - metrics["r2"].get<double>(), 1e-12);
  EXPECT_GT(metrics["r2"], 0.95);
  const auto rows = cells_of(ok({"predict", "run/model.coppice", "test.csv"}).out);
  const auto truth = cells_of(read("test.csv"));
  ASSERT_EQ(rows.size(), 201U);
  EXPECT_THAT(rows[0], ElementsAre("prediction"));
  double squares = 0;
  for (std::size_t i = 1; i < rows.size(); ++i)
    squares += std::pow(std::stod(rows[i][0]) - std::stod(truth[i][2]), 2);
  EXPECT_NEAR(std::sqrt(squares / 200), metrics["rmse"], 1e-4);
  EXPECT_THAT(ok({"evaluate", "run/model.coppice", "test.csv"}).out,
              AllOf(HasSubstr("RMSE"), HasSubstr("R2")));
}

TEST_F(Train, ARunDirectoryHoldsWhatTheContractNames) {
  write("d.csv", ring_csv(400));
  const Outcome trained = ok({"train", "d.csv", "--lambda", "1e-2,1e-3", "--seeds", "2", "--seed", "7",
                              "--max-epochs", "12", "--test", "0.2", "-o", "deep/run", "--quiet", "--json"});
  EXPECT_EQ(trained.errors, "") << "--quiet prints nothing";
  const Json summary = read_json("deep/run/summary.json");
  EXPECT_EQ(trained.json(), summary);
  EXPECT_THAT(keys_of(summary),
              UnorderedElementsAre("nets", "points", "best", "chosen", "pick", "metric", "ties", "task",
                                   "base_rate", "seconds", "threads", "device", "version"));
  EXPECT_EQ(summary["device"], "cpu");
  ASSERT_EQ(summary["nets"].size(), 4U);
  const std::vector<double> lambdas{1e-2, 1e-2, 1e-3, 1e-3};
  for (std::size_t i = 0; i < 4; ++i) {
    const Json& net = summary["nets"][i];
    EXPECT_THAT(keys_of(net), UnorderedElementsAre(
                                  "id", "lambda", "seed", "hidden_units", "parameters", "train_loss",
                                  "validation_error", "standard_error", "log_loss", "log_loss_deviation",
                                  "criterion", "criterion_deviation", "test_error", "epochs", "phase",
                                  "warm_from", "refit", "taught", "dominated", "bytes", "flash", "one_answer",
                                  "bins", "fold", "members", "kind", "beginning", "inputs", "model"));
    EXPECT_EQ(net["bytes"], read("deep/run/" + net["model"].get<std::string>()).size());
    EXPECT_EQ(net["id"], i);
    EXPECT_EQ(net["lambda"], lambdas[i]);
    EXPECT_EQ(net["seed"], 7 + i % 2);
    EXPECT_EQ(net["epochs"], 12);
    EXPECT_GE(net["test_error"], 0);
    const std::string model = "deep/run/" + net["model"].get<std::string>();
    const Json inside = ok({"inspect", model, "--json"}).json();
    EXPECT_EQ(inside["hidden_units"], net["hidden_units"]);
    EXPECT_EQ(inside["parameters"], net["parameters"]);
    EXPECT_EQ(inside["origin"]["lambda"], net["lambda"]);
  }
  const Json& best = summary["nets"][summary["best"].get<std::size_t>()];
  for (const Json& net : summary["nets"]) EXPECT_LE(best["validation_error"], net["validation_error"]);
  EXPECT_EQ(read("deep/run/model.coppice"), read("deep/run/" + best["model"].get<std::string>()));
  EXPECT_EQ(ok({"inspect", "deep/run", "--json"}).json(), summary);
  EXPECT_THAT(ok({"inspect", "deep/run"}).out, AllOf(HasSubstr("lambda"), HasSubstr("<- best")));
  EXPECT_EQ(read_json("deep/run/config.json")["resolved"]["batch-size"], 32) << "as it was decided";
}

TEST_F(Train, TheJournalTellsEveryEpochAndEveryUnit) {
  write("d.csv", ring_csv(400));
  ok({"train", "d.csv", "--lambda", "1e-2", "--seeds", "2", "--unit-lifetime", "3", "--start-units", "10",
      "--max-epochs", "25", "-o", "run", "--quiet"});
  std::map<std::size_t, std::vector<std::size_t>> epochs;
  std::map<std::size_t, std::vector<std::ptrdiff_t>> units{{0, {10, 10}}, {1, {10, 10}}};
  std::size_t lengths = 0;
  for (const std::string& line : lines_of(read("run/journal.jsonl"))) {
    const Json event = Json::parse(line);
    const std::size_t net = event.at("net");
    if (event["event"] == "born") ++units[net].at(event.at("layer").get<std::size_t>() - 1);
    if (event["event"] == "died") --units[net].at(event.at("layer").get<std::size_t>() - 1);
    if (event["event"] == "lengths") {
      ++lengths;
      EXPECT_EQ(event.at("units").size(), event.at("fan_in").size());
      EXPECT_EQ(event.at("units").size(), event.at("fan_out").size());
    }
    if (event["event"] != "epoch") continue;
    epochs[net].push_back(event.at("epoch"));
    EXPECT_EQ(event.at("hidden_units"), Json(units[net]))
        << "births and deaths add up, epoch " << event["epoch"];
    for (const char* key : {"train_loss", "validation_error", "phase", "angle"})
      EXPECT_TRUE(event.contains(key));
  }
  EXPECT_EQ(lengths, 8U) << "two nets, two layers, epochs 10 and 20";
  for (const std::size_t net : {0U, 1U}) {
    ASSERT_EQ(epochs[net].size(), 25U);
    for (std::size_t i = 0; i < 25; ++i) EXPECT_EQ(epochs[net][i], i + 1);
  }
}

TEST_F(Train, MaxStepsZeroWritesTheInitialNet) {
  write("d.csv", ring_csv(100));
  ok({"train", "d.csv", "--max-steps", "0", "--start-units", "4", "--hidden-layers", "3", "-o", "run"});
  const Json summary = read_json("run/summary.json");
  EXPECT_EQ(summary["nets"][0]["hidden_units"], Json::parse("[4,4,4]"));
  EXPECT_EQ(summary["nets"][0]["epochs"], 0);
  EXPECT_EQ(ok({"predict", "run/model.coppice", "d.csv"}).errors, "");
  EXPECT_THAT(ok({"inspect", "run/model.coppice"}).out, AllOf(HasSubstr("2-4-4-4-2"), Not(HasSubstr("nan"))));
  EXPECT_THAT(ok({"inspect", "run"}).out, Not(HasSubstr("nan")));
}

TEST_F(Train, WeightsArePrintedLayerByLayerAsTheContractHasThem) {
  write("d.csv", ring_csv(100));
  ok({"train", "d.csv", "--max-steps", "0", "--start-units", "4", "-o", "run", "--quiet"});
  for (const char* what : {"run", "run/model.coppice"}) {
    const Json layers = ok({"inspect", what, "--json", "--weights"}).json().at("layers");
    ASSERT_EQ(layers.size(), 3U);
    const std::vector<std::pair<std::size_t, std::size_t>> shapes{{4, 2}, {4, 4}, {2, 4}};
    for (std::size_t l = 0; l < 3; ++l) {
      EXPECT_EQ(layers[l].at("fan_in").size(), shapes[l].first);
      EXPECT_EQ(layers[l].at("mean").size(), shapes[l].first);
      EXPECT_EQ(layers[l].at("divisor").size(), shapes[l].first);
      for (const Json& row : layers[l]["fan_in"]) EXPECT_EQ(row.size(), shapes[l].second);
      for (const Json& divisor : layers[l]["divisor"]) EXPECT_GE(divisor, 1);
    }
  }
  EXPECT_THAT(ok({"inspect", "run/model.coppice", "--weights"}).out, HasSubstr("layer 3"));
}

TEST_F(Train, KeepDecidesWhichStateOfAStoppedNetIsWritten) {
  write("d.csv", ring_csv(300));
  const Arguments common{"train", "d.csv",   "--lambda", "3e-4",     "--max-epochs", "30",   "--seed",
                         "2",     "--quiet", "--scale",  "standard", "--metric",     "error"};
  ok(common + Arguments{"--keep", "best", "-o", "best"});
  ok(common + Arguments{"--keep", "last", "-o", "last"});
  std::vector<double> errors;
  for (const std::string& line : lines_of(read("last/journal.jsonl"))) {
    const Json event = Json::parse(line);
    if (event["event"] == "epoch") errors.push_back(event["validation_error"]);
  }
  ASSERT_EQ(errors.size(), 30U);
  EXPECT_EQ(read_json("last/summary.json")["nets"][0]["validation_error"], errors.back());
  EXPECT_EQ(read_json("best/summary.json")["nets"][0]["validation_error"], *std::ranges::min_element(errors));
  EXPECT_NE(read("best/model.coppice"), read("last/model.coppice"));
}

TEST_F(Train, ATimeLimitEndsWithModelsThatCanBeTrainedOn) {
  write("d.csv", ring_csv(3000));
  const Arguments limited{"train", "d.csv", "--time-limit", "0.3",        "--lambda", "1e-3,1e-4",
                          "-o",    "run",   "--quiet",      "--patience", "1e6"};
  const auto start = std::chrono::steady_clock::now();
  ok(limited);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  EXPECT_LT(passed.count(), 10);
  const Json summary = read_json("run/summary.json");
  EXPECT_EQ(summary["nets"].size(), 2U);
  EXPECT_GE(summary["seconds"], 0.3);
  EXPECT_EQ(summary["nets"][0]["phase"], "grow");
  ok({"evaluate", "run/model.coppice", "d.csv"});
  ok({"train", "--resume", "run", "--quiet"});
  const Json longer = read_json("run/summary.json");
  EXPECT_GT(longer["nets"][0]["epochs"], summary["nets"][0]["epochs"]);
  EXPECT_GE(longer["seconds"], 0.59) << "seconds count all sittings";
}

TEST_F(Train, WithoutAnOutputDirectoryRunsAreNumbered) {
  write("ring.csv", ring_csv(50));
  for (int i = 0; i < 2; ++i) ok({"train", "ring.csv", "--max-steps", "1", "--quiet"});
  EXPECT_TRUE(exists("runs/ring/model.coppice"));
  EXPECT_TRUE(exists("runs/ring-2/model.coppice"));
}

TEST_F(Train, AConfigurationTrainsTheSameNetAndFlagsWin) {
  write("d.csv", ring_csv(200));
  ok({"train", "d.csv", "--max-steps", "9", "--activation", "tanh", "--lambda", "0.003", "--output-capnorm",
      "off", "--validation", "0.3", "-o", "a", "--quiet"});
  ok({"train", "--config", "a/config.json", "-o", "b", "--quiet"});
  EXPECT_EQ(read("a/model.coppice"), read("b/model.coppice"));
  EXPECT_EQ(read("a/config.json"), read("b/config.json"));
  ok({"train", "d.csv", "--config", "a/config.json", "--lambda", "0.1", "-o", "c", "--quiet"});
  EXPECT_EQ(read_json("c/summary.json")["nets"][0]["lambda"], 0.1);
  EXPECT_EQ(read_json("c/config.json")["activation"], "tanh");
}

TEST_F(Train, AConfigurationMayAskForJsonAndSilence) {
  write("d.csv", ring_csv(50));
  write("c.json", R"({"max-steps": 1, "lambda": 1e-3, "json": true, "quiet": true})");
  const Outcome outcome = ok({"train", "d.csv", "--config", "c.json", "-o", "run"});
  EXPECT_EQ(outcome.json()["nets"].size(), 1U);
  EXPECT_EQ(outcome.errors, "");
  write("c.json", R"({"quiet": "very"})");
  refused({"train", "d.csv", "--config", "c.json", "-o", "other"}, {"c.json", "quiet"});
}

TEST_F(Train, ColumnsLeftOutInTrainingAreNoSurpriseLater) {
  std::string text = "x,same,skip,kind\n";
  for (int i = 0; i < 60; ++i) text += fmt::format("{},1,{},{}\n", i * 37 % 61, i, i % 2 == 0 ? "a" : "b");
  write("d.csv", text);
  const Outcome trained =
      ok({"train", "d.csv", "--target", "kind", "--ignore", "skip", "--max-steps", "1", "-o", "run"});
  EXPECT_NE(trained.errors.find("warning"), std::string::npos) << "the constant column is named once";
  EXPECT_EQ(ok({"evaluate", "run/model.coppice", "d.csv"}).errors, "");
}

TEST_F(Train, UselessInputsDoNotMakeARareClassLookLikely) {
  std::string text = "noise,kind\n";
  for (int i = 0; i < 1000; ++i)
    text += std::to_string(i * 7919 % 1009) + (i % 20 == 0 ? ",rare\n" : ",usual\n");
  write("d.csv", text);
  ok({"train", "d.csv", "--target", "kind", "--max-epochs", "150", "-o", "run", "--quiet"});
  EXPECT_LE(ok({"evaluate", "run/model.coppice", "d.csv", "--json"}).json()["error"], 0.05);
}

TEST_F(Train, ListsTakeCommasAndRepeatedFlags) {
  write("d.csv", "a,b,c,y\n1,2,4,p\n2,3,1,q\n3,1,9,p\n4,9,2,q\n");
  ok({"train", "d.csv", "--ignore", "a", "--ignore", "b", "--lambda", "1e-3,1e-4", "--lambda", "0.5",
      "--max-steps", "1", "-o", "run", "--quiet"});
  const Json config = read_json("run/config.json");
  EXPECT_EQ(config["ignore"], Json::parse(R"(["a","b"])"));
  EXPECT_EQ(config["lambda"], Json::parse("[0.001,0.0001,0.5]"));
}

TEST_F(Train, DataMayStandAfterTheFlags) {
  write("d.csv", "a,y\n1,p\n2,q\n3,p\n4,q\n");
  ok({"train", "--max-steps", "1", "--quiet", "-o", "run", "--lambda", "1e-3", "d.csv"});
  ok({"predict", "--device", "cpu", "--threads", "1", "run/model.coppice", "d.csv"});
  ok({"search", "grid", "--max-steps", "1", "--normalised-steps", "0.1", "--steps", "1", "--hidden", "2",
      "d.csv"});
}

TEST_F(Train, GeneratedSetsRepeatAndTrain) {
  for (const std::string kind : {"poker", "convex", "rectangles"}) {
    const std::string file = kind == "poker" ? "d.csv" : kind + ".amat";
    EXPECT_THAT(ok({"generate", kind, "--rows", "120", "--seed", "5", "-o", file}).out,
                HasSubstr("120 rows"));
    ok({"generate", kind, "--rows", "120", "--seed", "5", "-o", "again"});
    EXPECT_EQ(read(file), read("again"));
    ok({"generate", kind, "--rows", "120", "--seed", "6", "-o", "other"});
    EXPECT_NE(read(file), read("other"));
    ok({"train", file, "--max-epochs", "2", "--path", "2", "-o", kind + "-run", "--quiet"});
    EXPECT_EQ(read_json(kind + "-run/summary.json")["nets"].size(), 2U);
  }
}

TEST_F(Train, TinyTablesTrain) {
  write("two.csv", "x,y\n1,a\n2,b\n");
  ok({"train", "two.csv", "--max-epochs", "3", "-o", "two", "--quiet"});
  write("single.csv", "x,y\n1,a\n2,b\n3,b\n4,b\n5,b\n6,b\n7,b\n");
  ok({"train", "single.csv", "--max-epochs", "3", "-o", "single", "--quiet", "--test", "0.3"});
  write("regression.csv", "x,y\n1,1.5\n2,2.5\n3,7.25\n4,1\n5,8\n6,8.5\n");
  ok({"train", "regression.csv", "--task", "regression", "--max-epochs", "3", "-o", "regression", "--quiet"});
}

TEST_F(Train, LabelsThatTheModelNeverSawHaveARowOfTheirOwn) {
  write("d.csv", "x,y\n1,a\n2,a\n3,a\n4,a\n5,a\n6,b\n7,b\n8,b\n9,b\n10,b\n");
  const Outcome trained = ok({"train", "d.csv", "--target", "y", "--max-epochs", "2", "-o", "run"});
  EXPECT_THAT(trained.errors, HasSubstr("\n1 input; "));
  const Json known = ok({"evaluate", "run", "d.csv", "--json"}).json();
  EXPECT_EQ(known["confusion"].size(), 2U) << "one row for each class";
  EXPECT_FALSE(known.contains("never_seen"));
  write("e.csv", "x,y\n1,a\n2,c\n3,d\n");
  const Json other = ok({"evaluate", "run", "e.csv", "--json"}).json();
  EXPECT_EQ(other["confusion"].size(), 2U);
  EXPECT_EQ(other["never_seen"][0].get<int>() + other["never_seen"][1].get<int>(), 2);
}

}  // namespace
}  // namespace coppice::test
