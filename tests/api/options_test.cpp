#include "coppice/api/options.h"

#include "coppice/api/train.h"

#include "tests/api/other_values.h"
#include "tests/api/tables.h"
#include "tests/support.h"

#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <limits>

#include <rapidcheck.h>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Options, UnsetStaysUnset) {
  const Options options;
  EXPECT_TRUE(settings_json(settings(), options).empty());
  for (const SettingInfo& info : list_settings()) EXPECT_THAT(get_option(options, info.name), IsEmpty());
  Options one;
  set_option(one, "patience", {"5"});
  EXPECT_EQ(settings_json(settings(), one), (nlohmann::json{{"patience", 5}})) << "and nothing else";
}

TEST(Options, EverySettingGivesItsTextBack) {
  for (const SettingInfo& info : list_settings()) {
    if (info.name == "warm-start") continue;  // a model is no text
    ASSERT_TRUE(other_values().contains(info.name)) << info.name;
    const std::vector<std::string>& texts = other_values().at(info.name);
    Options options;
    set_option(options, info.name, texts);
    if (info.name == "lambda") {
      EXPECT_THAT(options.lambdas, ElementsAre(1e-3, 0.00012345678901234567)) << "to the last digit";
    } else {
      EXPECT_EQ(get_option(options, info.name), texts) << info.name;
    }
    Options again;
    set_option(again, info.name, get_option(options, info.name));
    EXPECT_EQ(settings_json(settings(), again), settings_json(settings(), options)) << info.name;
    EXPECT_EQ(settings_json(settings(), options).size(), 1U) << info.name << " sets itself alone";
    set_option(options, info.name, {});
    EXPECT_THAT(get_option(options, info.name), IsEmpty()) << info.name;
  }
}

/// The shape of a value tells what a setting takes: "X" a number, "N" a whole number, "a|b" one of these words.
TEST(Options, WhateverASettingTakesComesBackAsItWas) {
  const std::vector<SettingInfo> all = list_settings();
  EXPECT_TRUE(rc::check("get(set(text)) means the same as the text", [&] {
    const SettingInfo& info = *rc::gen::elementOf(all);
    RC_PRE(info.name != "warm-start" && info.name != "class-weights");
    const double share = static_cast<double>(*rc::gen::inRange(1, 1'000'000)) / 1e6;
    std::string text;
    if (info.value.find('|') != std::string::npos) {
      std::vector<std::string> words;
      for (std::size_t at = 0; at <= info.value.size();) {
        const std::size_t bar = std::min(info.value.find('|', at), info.value.size());
        words.push_back(info.value.substr(at, bar - at));
        at = bar + 1;
      }
      text = *rc::gen::elementOf(words);
      if (text == "K") text = "12";
      if (text == "cuda:N,...") text = "cuda:0,1";
    } else if (info.value.starts_with("COLUMN")) {
      text = "column " + std::to_string(*rc::gen::inRange(0, 1000));
    } else if (info.value.starts_with("N")) {
      text = std::to_string(
          2 + (info.name == "penalty-power" ? 0 : *rc::gen::inRange(0, info.name == "softenings" ? 18 : 90)));
    } else if (info.value == "BYTES") {
      text = std::to_string(1'000'000 + *rc::gen::inRange(0, 1'000'000'000));
    } else {
      text = fmt::format("{:.17g}", share);
    }
    Options options;
    set_option(options, info.name, {text});
    const std::vector<std::string> back = get_option(options, info.name);
    if (text == "auto" && info.name != "encode") {  // whose auto is a choice that trainings make
      RC_ASSERT(back.empty());
      return;
    }
    RC_ASSERT(back.size() == 1U);
    if (info.value.starts_with("X") || info.value == "FRACTION") {
      RC_ASSERT(std::stod(back[0]) == std::stod(text));
    } else {
      RC_ASSERT(back[0] == text);
    }
  }));
}

TEST(Options, ListsMayComeWithCommasOrAsSeveralValues) {
  Options options;
  set_option(options, "ignore", {"a,b", "c"});
  EXPECT_THAT(options.ignore, ElementsAre("a", "b", "c"));
  set_option(options, "fixed_size", {"20,10"});
  EXPECT_THAT(options.fixed_size, ElementsAre(20, 10));
  EXPECT_THAT(get_option(options, "fixed-size"), ElementsAre("20", "10"));
  for (const SettingInfo& info : list_settings())
    EXPECT_EQ(info.list, info.value.find("[,") != std::string::npos) << info.name;
}

TEST(Options, UnknownNamesComeWithTheNearest) {
  Options options;
  EXPECT_THAT(message_of([&] { set_option(options, "hiden-layers", {"3"}); }),
              AllOf(HasSubstr("\"hiden-layers\""), HasSubstr("\"hidden-layers\"")));
  EXPECT_THAT(message_of([&] { get_option(options, "wings"); }), HasSubstr("\"wings\""));
  try {
    set_option(options, "wings", {"2"});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_option);
    EXPECT_EQ(error.place().option, "wings");
  }
}

TEST(Options, RowsAndModelsThatNoTextTellsStayWhenOthersAreSet) {
  Options options;
  options.validation = std::vector<std::uint32_t>{1, 2};
  options.test = ring_table(5);
  set_option(options, "seed", {"3"});
  EXPECT_EQ(std::get<std::vector<std::uint32_t>>(options.validation).size(), 2U);
  EXPECT_EQ(std::get<Table>(options.test).rows(), 5U);
  EXPECT_THAT(get_option(options, "validation"), IsEmpty());
  set_option(options, "validation", {});
  EXPECT_TRUE(std::holds_alternative<std::monostate>(options.validation));
}

/// A field is set to anything; train() must say what set_option() would have said.
TEST(Options, ValuesOutOfRangeAreRefusedHoweverTheyWereSet) {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<std::string, std::function<void(Options&)>>> bad{
      {"patience", [&](Options& o) { o.patience = -1; }},
      {"patience", [&](Options& o) { o.patience = nan; }},
      {"fine-patience", [&](Options& o) { o.fine_patience = 0; }},
      {"unit-lifetime", [&](Options& o) { o.unit_lifetime = infinity; }},
      {"batch-size", [](Options& o) { o.batch_size = 0; }},
      {"hidden-layers", [](Options& o) { o.hidden_layers = 0; }},
      {"start-units", [](Options& o) { o.start_units = 0; }},
      {"fixed-size",
       [](Options& o) {
         o.fixed_size = {5, 0};
       }},
      {"lambda",
       [](Options& o) {
         o.lambdas = {1e-3, -1e-3};
       }},
      {"lambda",
       [](Options& o) {
         o.lambdas = {1e-3, 1e-3};
       }},
      {"layer-lambdas",
       [](Options& o) {
         o.layer_lambdas = {1, 0, 1};
       }},
      {"penalty-power", [](Options& o) { o.penalty_power = 3; }},
      {"path", [](Options& o) { o.path = 1; }},
      {"seeds", [](Options& o) { o.seeds = 0; }},
      {"max-parameters", [](Options& o) { o.max_parameters = 0; }},
      {"angle", [](Options& o) { o.angle = 3.5; }},
      {"mixing-rate", [](Options& o) { o.mixing_rate = 2; }},
      {"epsilon", [](Options& o) { o.epsilon = 0; }},
      {"max-epochs", [](Options& o) { o.max_epochs = 0; }},
      {"time-limit", [](Options& o) { o.time_limit = 0; }},
      {"threads", [](Options& o) { o.threads = 0; }},
      {"memory", [](Options& o) { o.memory = 1; }},
      {"validation", [](Options& o) { o.validation = 1.0; }},
      {"test", [](Options& o) { o.test = -0.1; }}};
  const Table table = ring_table(40);
  for (const auto& [name, change] : bad) {
    Options options = ring_options();
    change(options);
    try {
      train(table, options);
      ADD_FAILURE() << name << " was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_option) << error.what();
      EXPECT_EQ(error.place().option, name) << error.what();
      EXPECT_THAT(error.what(), HasSubstr("`" + name + "`"));
    }
  }
}

/// Epochs that a net waited for a better error in the last of them that it spent in this phase.
double longest_wait(const Result& result, Phase phase) {
  double longest = 0;
  for (const EpochReport& report : result.history) {
    if (report.next_phase == phase) longest = std::max(longest, report.waited);
  }
  return longest;
}

/// Patience that was set as a field was overwritten by the effort's once.
TEST(Options, PatienceTakesEffectInATraining) {
  const Table table = ring_table(300);
  Options options = ring_options();
  options.lambdas = {1e-3};
  options.unit_lifetime = 1;  // or it would lengthen a phase that units must die out in
  options.max_epochs.reset();
  options.patience = 5;
  const Result few = train(table, options);
  options.patience = 13;
  const Result many = train(table, options);
  EXPECT_EQ(few.options.patience, 5);
  EXPECT_EQ(many.options.patience, 13);
  std::set<double> patiences;
  for (const EpochReport& report : few.history) {
    if (report.next_phase == Phase::grow) patiences.insert(report.patience);
  }
  EXPECT_THAT(patiences, ElementsAre(5));
  EXPECT_LE(longest_wait(few, Phase::grow), 5);
  EXPECT_GT(longest_wait(many, Phase::grow), 5);
  EXPECT_GT(many.nets[0].epochs, few.nets[0].epochs);
}

}  // namespace
}  // namespace coppice
