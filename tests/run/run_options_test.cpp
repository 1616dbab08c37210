#include "coppice/run/run_options.h"

#include "coppice/api/resolve.h"
#include "coppice/run/configuration.h"

#include "tests/api/other_values.h"
#include "tests/support.h"

#include <gmock/gmock.h>
#include <set>

namespace coppice {
namespace {

using namespace coppice::test;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

void set_run(RunOptions& options, const std::string& name, const std::vector<std::string>& values) {
  setting(run_settings(), name).set(options, values);
}

json json_of(const RunOptions& options) {
  return settings_json(run_settings(), options);
}

TEST(NamesFile, TellsFilesFromFractions) {
  for (const char* file : {"a.csv", "./0.2", "0.2.csv", "/x/y"}) EXPECT_TRUE(names_file(file)) << file;
  for (const char* other : {"", "0.2", " 0.2 ", "1e-1", "7"}) EXPECT_FALSE(names_file(other)) << other;
}

TEST(RunSettings, AreThoseOfATrainingAndOneMore) {
  std::set<std::string> expected{"checkpoint-every"};
  for (const Setting<Options>& setting : settings()) expected.insert(setting.name);
  std::set<std::string> names;
  for (const Setting<RunOptions>& setting : run_settings()) {
    EXPECT_TRUE(names.insert(setting.name).second) << setting.name << " comes twice";
    EXPECT_FALSE(setting.help.empty()) << setting.name;
    EXPECT_FALSE(setting.value.empty()) << setting.name;
    if (setting.name == "checkpoint-every") {
      EXPECT_FALSE(setting.shapes_result);
      continue;
    }
    EXPECT_EQ(setting.shapes_result, find_setting(setting.name)->shapes_result) << setting.name;
    EXPECT_EQ(setting.takes_file,
              setting.name == "validation" || setting.name == "test" || setting.name == "warm-start");
  }
  EXPECT_EQ(names, expected);
  EXPECT_EQ(RunOptions{}.epochs_between_checkpoints(), 10U);
  RunOptions options;
  for (const char* bad : {"0", "1.5", "x"}) {
    EXPECT_THAT(message_of([&] { set_run(options, "checkpoint-every", {bad}); }),
                HasSubstr("`checkpoint-every`"));
  }
  set_run(options, "checkpoint-every", {"3"});
  EXPECT_EQ(options.epochs_between_checkpoints(), 3U);
}

/// Another value for every setting of a run; angle and angular-step exclude each other.
RunOptions other_options() {
  RunOptions options;
  for (const Setting<RunOptions>& setting : run_settings()) {
    if (setting.name == "angular-step") continue;
    if (setting.name == "warm-start") {
      setting.set(options, {"/m.coppice"});
    } else if (setting.name == "test") {
      setting.set(options, {"/data/test.csv"});
    } else if (setting.name == "checkpoint-every") {
      setting.set(options, {"1"});
    } else {
      setting.set(options, other_values().at(setting.name));
    }
  }
  return options;
}

TEST(RunSettings, AConfigurationGivesTheSameOptionsBack) {
  const RunOptions options = other_options();
  const json config = json::parse(json_of(options).dump());
  RunOptions again;
  apply_config(again, config, "c.json", {});
  EXPECT_EQ(json_of(again), json_of(options));
  EXPECT_EQ(again.options.lambdas, options.options.lambdas) << "to the last digit";
  EXPECT_EQ(again.options.max_steps, 0U);
  EXPECT_EQ(again.options.add_units, 0.3);
  EXPECT_EQ(again.options.task, Task::regression);
  EXPECT_EQ(again.test, "/data/test.csv");
  EXPECT_EQ(again.warm_start, "/m.coppice");
  EXPECT_EQ(again.checkpoint_every, 1U);
  RunOptions untouched;
  apply_config(untouched, {{"patience", nullptr}, {"seed", nullptr}}, "c.json", {});
  EXPECT_TRUE(json_of(untouched).empty()) << "null leaves a setting alone";
}

TEST(RunSettings, RowsComeFromAFileOrAreAShare) {
  for (const std::string name : {"validation", "test"}) {
    RunOptions options;
    set_run(options, name, {"0.25"});
    EXPECT_EQ(json_of(options), (json{{name, 0.25}}));
    set_run(options, name, {"rows.csv"});
    EXPECT_EQ(json_of(options), (json{{name, "rows.csv"}})) << "the file takes the place of the share";
    EXPECT_TRUE(std::holds_alternative<std::monostate>(name == "test" ? options.options.test
                                                                      : options.options.validation));
    set_run(options, name, {"0.5"});
    EXPECT_EQ(json_of(options), (json{{name, 0.5}})) << "and back";
    for (const char* bad : {"0", "1", "-0.1", "2", "nan", "inf"})
      EXPECT_THAT(message_of([&] { set_run(options, name, {bad}); }), HasSubstr("`" + name + "`")) << bad;
  }
}

TEST(RunSettings, FlagsWinOverAConfiguration) {
  RunOptions options;
  set_run(options, "seed", {"5"});
  apply_config(options, {{"seed", 7}, {"seeds", 3}}, "c.json", {"seed"});
  EXPECT_EQ(options.options.seed, 5U);
  EXPECT_EQ(options.options.seeds, 3U);
}

TEST(RunSettings, AFlagForTheAngleReplacesAConfigurationsAngularStep) {
  RunOptions options;
  apply_config(options, {{"angular-step", 30}, {"lambda", 0.1}}, "c.json", {"angle", "path"});
  set_run(options, "angle", {"0.2"});
  EXPECT_EQ(options.options.angle, 0.2);
  EXPECT_FALSE(options.options.angular_step.has_value());
  EXPECT_TRUE(options.options.lambdas.empty()) << "a path takes the place of lambdas";
}

TEST(RunSettings, ConfigurationsMayBeWrittenByHand) {
  RunOptions options;
  apply_config(options,
               {{"lambda", 0.5},
                {"start_units", 3},
                {"output-capnorm", false},
                {"prior_offset", true},
                {"ignore", "a"},
                {"id", "b,c"},
                {"categorical", {"d,e", "f"}}},
               "c.json", {});
  EXPECT_EQ(options.options.lambdas, std::vector<double>{0.5});
  EXPECT_EQ(options.options.start_units, 3U);
  EXPECT_EQ(options.options.output_capnorm, false);
  EXPECT_EQ(options.options.prior_offset, true);
  EXPECT_THAT(options.options.ignore, ElementsAre("a"));
  EXPECT_THAT(options.options.ids, ElementsAre("b", "c"));
  EXPECT_THAT(options.options.categorical, ElementsAre("d,e", "f"));
}

TEST(RunSettings, MistakesInAConfigurationNameTheFile) {
  RunOptions options;
  EXPECT_THAT(message_of([&] {
                apply_config(options, {{"hiden-layers", 3}}, "c.json", {});
              }),
              AllOf(HasSubstr("c.json"), HasSubstr("\"hiden-layers\""), HasSubstr("\"hidden-layers\"")));
  EXPECT_THAT(message_of([&] { apply_config(options, json::array(), "c.json", {}); }),
              HasSubstr("JSON object"));
  try {
    apply_config(options, {{"seed", -3}}, "c.json", {});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("c.json"), HasSubstr("`seed`")));
    EXPECT_EQ(error.kind(), ErrorKind::bad_option);
    EXPECT_EQ(error.place().option, "seed");
  }
  EXPECT_TRUE(json_of(options).empty());
}

Options decided(const RunOptions& options, std::size_t rows) {
  return resolve(options.options, {.target = "y", .train_rows = rows});
}

TEST(Configuration, HoldsWhatWasGivenAndWhatWasDecided) {
  RunOptions options;
  options.data = "/d.csv";
  options.options.effort = Effort::quick;
  options.options.patience = 17;
  const json config = configuration(options, decided(options, 50'000), {{"data", "00c0ffee"}});
  EXPECT_EQ(config["data"], "/d.csv");
  EXPECT_EQ(config["effort"], "quick");
  EXPECT_EQ(config["patience"], 17);
  EXPECT_FALSE(config.contains("angle")) << "nobody gave it";
  EXPECT_EQ(config["resolved"]["patience"], 17);
  EXPECT_EQ(config["resolved"]["fine-patience"], 1);
  EXPECT_EQ(config["resolved"]["angle"], 0.05);
  EXPECT_EQ(config["resolved"]["target"], "y");
  EXPECT_FALSE(config["resolved"].contains("angular-step"));
  EXPECT_EQ(config["checksums"]["data"], "00c0ffee");

  RunOptions again;
  apply_config(again, config, "c.json", {});
  EXPECT_EQ(json_of(again), json_of(options)) << "what was decided is decided anew";
}

TEST(Configuration, AnotherEffortDecidesAnewWhatWasNotGiven) {
  RunOptions options;
  options.data = "/d.csv";
  options.options.patience = 17;
  const json config = configuration(options, decided(options, 50'000), {});
  RunOptions quick;
  apply_config(quick, config, "c.json", {"effort"});
  set_run(quick, "effort", {"quick"});
  const Options complete = decided(quick, 50'000);
  EXPECT_EQ(complete.patience, 17) << "given by the user";
  EXPECT_EQ(complete.unit_lifetime, 8);
  RunOptions by_hand;  // all of it was given
  apply_config(by_hand, {{"effort", "normal"}, {"unit-lifetime", 20}}, "c.json", {"effort"});
  EXPECT_EQ(decided(by_hand, 50'000).unit_lifetime, 20);
}

TEST(Configuration, PathsAreFoundFromAnyDirectory) {
  RunOptions options;
  options.data = "x/../d.csv";
  options.validation = "v.csv";
  options.options.test = 0.25;
  const json config = configuration(options, decided(options, 100), {});
  EXPECT_EQ(config["data"], (std::filesystem::current_path() / "d.csv").string());
  EXPECT_EQ(config["validation"], (std::filesystem::current_path() / "v.csv").string());
  EXPECT_EQ(config["test"], 0.25);
  options.data = "\xff.csv";
  EXPECT_THAT(message_of([&] { configuration(options, decided(options, 100), {}); }), HasSubstr("UTF-8"));
}

TEST(Configuration, ChangesOfWhatShapesTheResultAreRefused) {
  const RunOptions before;
  const json resolved{{"patience", 20.0}, {"seed", 0}};
  const auto change = [&](const std::string& name, const std::string& value) {
    RunOptions after;
    set_run(after, name, {value});
    return changes_of(run_settings(), before, after, resolved);
  };
  EXPECT_TRUE(change("patience", "20").empty()) << "as it was decided";
  EXPECT_TRUE(change("threads", "7").empty());
  EXPECT_TRUE(change("checkpoint-every", "7").empty());
  const std::vector<ChangedSetting> changed = change("patience", "21");
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ(changed[0].was, 20);
  EXPECT_EQ(changed[0].is, 21);
  try {
    refuse_changes(changed, "run", "dir");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.place().option, "patience");
    EXPECT_THAT(error.what(), AllOf(HasSubstr("`patience` 20"), HasSubstr("not 21")));
  }
  RunOptions here;
  here.validation = "/here/v.csv";
  RunOptions there;
  there.validation = "/there/v.csv";
  EXPECT_TRUE(changes_of(run_settings(), here, there, resolved).empty()) << "files may move";
  there.validation.clear();
  there.options.validation = 0.5;
  EXPECT_EQ(changes_of(run_settings(), here, there, resolved).size(), 1U);
}

TEST(Configuration, TheFingerprintStandsForSettingsAndData) {
  Options options = resolve({}, {.target = "y", .train_rows = 100});
  const json sums{{"data", "1"}};
  const std::uint32_t whole = settings_fingerprint(options, sums);
  EXPECT_EQ(settings_fingerprint(options, sums), whole);
  EXPECT_NE(settings_fingerprint(options, {{"data", "2"}}), whole);
  options.threads = 9;
  options.device = Device::cpu;
  options.pick = Pick::knee;
  EXPECT_EQ(settings_fingerprint(options, sums), whole) << "what shapes no result";
  options.epsilon = 1e-7;
  EXPECT_NE(settings_fingerprint(options, sums), whole);
}

TEST(RunSettings, RowsThatAreUnsetAreNeitherInAFileNorAShare) {
  for (const char* name : {"validation", "test"}) {
    for (const char* given : {"rows.csv", "0.25"}) {
      RunOptions options;
      const json before = setting(run_settings(), name).get(options);
      set_run(options, name, {given});
      EXPECT_NE(setting(run_settings(), name).get(options), before);
      setting(run_settings(), name).unset(options);
      EXPECT_EQ(setting(run_settings(), name).get(options), before) << name << given;
    }
  }
}

}  // namespace
}  // namespace coppice
