#include "tests/run/support.h"

#include <cmath>
#include <gmock/gmock.h>
#include <map>

namespace coppice {
namespace {

using namespace coppice::test;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// Names and defaults of the contract; null: not set, or found out.
const std::map<std::string, json> contract{{"target", nullptr},
                                           {"ignore", json::array()},
                                           {"id", json::array()},
                                           {"categorical", json::array()},
                                           {"task", "auto"},
                                           {"scale", "auto"},
                                           {"validation", nullptr},
                                           {"test", nullptr},
                                           {"seed", 0},
                                           {"hidden-layers", 2},
                                           {"start-units", nullptr},
                                           {"fixed-size", nullptr},
                                           {"norm", "capnorm"},
                                           {"activation", "relu"},
                                           {"output-capnorm", "on"},
                                           {"prior-offset", "on"},
                                           {"lambda", nullptr},
                                           {"path", 5},
                                           {"regularizer", "fan-in"},
                                           {"penalty-power", 2},
                                           {"layer-lambdas", nullptr},
                                           {"warm-start", nullptr},
                                           {"pick", "best"},
                                           {"max-parameters", nullptr},
                                           {"max-bytes", nullptr},
                                           {"seeds", 1},
                                           {"optimizer", "adarad"},
                                           {"effort", "normal"},
                                           {"angle", nullptr},
                                           {"angular-step", nullptr},
                                           {"unit-lifetime", nullptr},
                                           {"step", nullptr},
                                           {"momentum-rate", 0.1},
                                           {"radial-step", nullptr},
                                           {"add-units", nullptr},
                                           {"additions-per-epoch", nullptr},
                                           {"mixing-rate", 0.005},
                                           {"epsilon", 1e-8},
                                           {"batch-size", nullptr},
                                           {"grow-epochs", nullptr},
                                           {"patience", nullptr},
                                           {"settle-epochs", nullptr},
                                           {"fine-patience", nullptr},
                                           {"max-epochs", nullptr},
                                           {"max-steps", nullptr},
                                           {"time-limit", nullptr},
                                           {"precision", "auto"},
                                           {"keep", "best"},
                                           {"device", "auto"},
                                           {"threads", nullptr},
                                           {"checkpoint-every", 10}};

TEST(Settings, AreThoseOfTheContractWithItsDefaults) {
  RunOptions options;
  const json all = settings_json(options);
  EXPECT_EQ(all.size(), contract.size());
  for (const auto& [name, value] : contract) {
    ASSERT_TRUE(all.contains(name)) << name;
    EXPECT_EQ(all[name], value) << name;
  }
}

TEST(Settings, AllButThoseAboutTheMachineAndTheChoiceShapeTheResult) {
  RunOptions options;
  for (const Setting& setting : settings_of(options)) {
    const bool machine = setting.name == "device" || setting.name == "threads" ||
                         setting.name == "time-limit" || setting.name == "checkpoint-every" ||
                         setting.name == "pick";
    EXPECT_EQ(setting.shapes_result, !machine) << setting.name;
    EXPECT_FALSE(setting.help.empty()) << setting.name;
    EXPECT_FALSE(setting.value.empty()) << setting.name;
  }
}

/// Another value for every setting.
const std::map<std::string, std::vector<std::string>> others{{"target", {"price"}},
                                                             {"ignore", {"a", "b"}},
                                                             {"id", {"key"}},
                                                             {"categorical", {"zip"}},
                                                             {"task", {"regression"}},
                                                             {"scale", {"none"}},
                                                             {"validation", {"0.25"}},
                                                             {"test", {"/data/test.csv"}},
                                                             {"seed", {"123456789012"}},
                                                             {"hidden-layers", {"4"}},
                                                             {"start-units", {"7"}},
                                                             {"fixed-size", {"186", "43"}},
                                                             {"norm", {"batchnorm-affine"}},
                                                             {"activation", {"leaky-relu"}},
                                                             {"output-capnorm", {"off"}},
                                                             {"prior-offset", {"off"}},
                                                             {"lambda", {"1e-3", "0.00012345678901234567"}},
                                                             {"seeds", {"3"}},
                                                             {"path", {"9"}},
                                                             {"regularizer", {"fan-out"}},
                                                             {"penalty-power", {"1"}},
                                                             {"layer-lambdas", {"1", "0.5", "2"}},
                                                             {"warm-start", {"/m.coppice"}},
                                                             {"pick", {"knee"}},
                                                             {"max-parameters", {"5000"}},
                                                             {"max-bytes", {"65536"}},
                                                             {"optimizer", {"nesterov"}},
                                                             {"step", {"0.3"}},
                                                             {"momentum-rate", {"0.5"}},
                                                             {"effort", {"quick"}},
                                                             {"angle", {"0.1"}},
                                                             {"unit-lifetime", {"2.5"}},
                                                             {"radial-step", {"17"}},
                                                             {"add-units", {"0.3"}},
                                                             {"additions-per-epoch", {"10"}},
                                                             {"mixing-rate", {"1"}},
                                                             {"epsilon", {"1e-12"}},
                                                             {"batch-size", {"64"}},
                                                             {"grow-epochs", {"20"}},
                                                             {"patience", {"10"}},
                                                             {"settle-epochs", {"12.5"}},
                                                             {"fine-patience", {"0.5"}},
                                                             {"max-epochs", {"100"}},
                                                             {"max-steps", {"0"}},
                                                             {"time-limit", {"1.5"}},
                                                             {"precision", {"bf16"}},
                                                             {"keep", {"last"}},
                                                             {"device", {"cpu"}},
                                                             {"threads", {"3"}},
                                                             {"checkpoint-every", {"1"}}};

TEST(Settings, AConfigurationGivesTheSameOptionsBack) {
  RunOptions options;
  for (const Setting& setting : settings_of(options)) {
    if (setting.name != "angular-step") setting.set(others.at(setting.name));  // excludes angle
  }
  const json config = json::parse(settings_json(options).dump());
  RunOptions again;
  apply_config(again, config, "c.json", {});
  EXPECT_EQ(settings_json(again), settings_json(options));
  EXPECT_EQ(again.lambdas, options.lambdas) << "to the last digit";
  EXPECT_EQ(again.training.max_steps, 0U);
  EXPECT_EQ(again.training.add_units, 0.3);
  EXPECT_EQ(again.encoding.task, Task::regression);
  const RunOptions standard;
  RunOptions untouched;
  RunOptions from;
  apply_config(untouched, settings_json(from), "c.json", {});
  EXPECT_EQ(settings_json(untouched), settings_json(from)) << "null leaves a default alone";
  EXPECT_EQ(untouched.training.max_steps, standard.training.max_steps);
}

TEST(Settings, FlagsWinOverAConfiguration) {
  RunOptions options;
  setting(options, "seed").set({"5"});
  apply_config(options, {{"seed", 7}, {"seeds", 3}}, "c.json", {"seed"});
  EXPECT_EQ(options.seed, 5U);
  EXPECT_EQ(options.seeds, 3U);
}

TEST(Settings, ConfigurationsMayBeWrittenByHand) {
  RunOptions options;
  apply_config(options,
               {{"lambda", 0.5},
                {"start_units", 3},
                {"output-capnorm", false},
                {"prior_offset", true},
                {"ignore", "a"}},
               "c.json", {});
  EXPECT_EQ(options.lambdas, std::vector<double>{0.5});
  EXPECT_EQ(options.training.start_units, 3U);
  EXPECT_FALSE(options.training.output_capnorm);
  EXPECT_TRUE(options.training.prior_offset);
  EXPECT_EQ(options.encoding.ignore, std::vector<std::string>{"a"});
}

TEST(Settings, UnknownNamesComeWithTheNearest) {
  RunOptions options;
  EXPECT_THAT(message_of([&] {
                apply_config(options, {{"hiden-layers", 3}}, "c.json", {});
              }),
              AllOf(HasSubstr("c.json"), HasSubstr("\"hiden-layers\""), HasSubstr("\"hidden-layers\"")));
  EXPECT_THAT(message_of([&] { apply_config(options, json::array(), "c.json", {}); }),
              HasSubstr("JSON object"));
}

TEST(Settings, ValuesOutOfRangeNameTheFlagAndTheRange) {
  const std::map<std::string, std::vector<std::string>> bad{{"seed", {"-1", "1.5", "1e16", "", "x", "nan"}},
                                                            {"hidden-layers", {"0", "101"}},
                                                            {"start-units", {"0", "1e9"}},
                                                            {"fixed-size", {"0", "1.5", "x", "1e6", "-3"}},
                                                            {"grow-epochs", {"0", "1.5", "-3"}},
                                                            {"norm", {"layernorm", "on"}},
                                                            {"activation", {"sigmoid", "", "ReLU"}},
                                                            {"output-capnorm", {"maybe"}},
                                                            {"lambda", {"0", "-1", "nan", "inf", "x", ""}},
                                                            {"seeds", {"0", "-3", "1e9"}},
                                                            {"path", {"1", "0", "101"}},
                                                            {"regularizer", {"fan", "both"}},
                                                            {"penalty-power", {"0", "3", "1.5"}},
                                                            {"layer-lambdas", {"0", "-1", "x", "inf"}},
                                                            {"pick", {"largest"}},
                                                            {"max-parameters", {"0", "1.5"}},
                                                            {"max-bytes", {"0", "x"}},
                                                            {"optimizer", {"lbfgs", "Adam"}},
                                                            {"step", {"0", "-1", "inf"}},
                                                            {"momentum-rate", {"0", "1.5"}},
                                                            {"angular-step", {"0", "-1", "inf"}},
                                                            {"angle", {"0", "-1", "3.1", "x"}},
                                                            {"effort", {"", "lazy", "Paper"}},
                                                            {"unit-lifetime", {"0"}},
                                                            {"radial-step", {"0"}},
                                                            {"add-units", {"-0.5", "1e7"}},
                                                            {"additions-per-epoch", {"0"}},
                                                            {"mixing-rate", {"0", "1.01"}},
                                                            {"epsilon", {"0"}},
                                                            {"batch-size", {"1", "0"}},
                                                            {"patience", {"0"}},
                                                            {"settle-epochs", {"0"}},
                                                            {"fine-patience", {"0"}},
                                                            {"max-epochs", {"0"}},
                                                            {"max-steps", {"-1"}},
                                                            {"precision", {"fp64"}},
                                                            {"device", {"gpu"}},
                                                            {"keep", {"both"}},
                                                            {"threads", {"0", "2.5"}},
                                                            {"checkpoint-every", {"0"}},
                                                            {"time-limit", {"0", "-5"}},
                                                            {"task", {"magic"}},
                                                            {"scale", {"magic"}}};
  for (const auto& [name, values] : bad) {
    for (const std::string& value : values) {
      RunOptions options;
      const json before = settings_json(options);
      const std::string message = message_of([&, key = name] { setting(options, key).set({value}); });
      EXPECT_THAT(message, HasSubstr("--" + name)) << value;
      if (name == "lambda") continue;
      EXPECT_EQ(settings_json(options), before) << name << " was changed";
    }
  }
  RunOptions options;
  EXPECT_THAT(message_of([&] { setting(options, "activation").set({"sigmoid"}); }), HasSubstr("s(0) = 0"));
  EXPECT_THAT(message_of([&] { setting(options, "lambda").set({"1e-3", "0.001"}); }), HasSubstr("twice"));
  EXPECT_THAT(message_of([&] { setting(options, "lambda").set({}); }), HasSubstr("at least one"));
  EXPECT_THAT(message_of([&] { setting(options, "seed").set({"1", "2"}); }), HasSubstr("one value"));
}

TEST(Settings, Latin1NamesBecomeUtf8) {
  RunOptions options;
  setting(options, "target")
      .set({"gr\xF6\xDF"
            "e"});
  setting(options, "ignore").set({"\xE4", "b"});
  EXPECT_EQ(options.encoding.target, "größe");
  EXPECT_EQ(settings_json(options)["ignore"].dump(), "[\"ä\",\"b\"]");
}

}  // namespace
}  // namespace coppice
