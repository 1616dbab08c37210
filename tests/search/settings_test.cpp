#include "coppice/search/settings.h"

#include "tests/api/other_values.h"
#include "tests/support.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

void set(SearchSpace& space, const std::string& name, const std::vector<std::string>& values) {
  for (const Setting<SearchSpace>& setting : search_settings(space.kind)) {
    if (setting.name == name) setting.set(space, setting.list ? split_commas(values) : values);
  }
}

std::string refusal(SearchKind kind, const std::string& name, const std::vector<std::string>& values) {
  SearchSpace space;
  space.kind = kind;
  const SearchSpace before = space;
  std::string message = "nothing was refused";
  try {
    set(space, name, values);
    ADD_FAILURE() << name << " took " << (values.empty() ? "nothing" : values.front());
  } catch (const Error& error) {
    message = error.what();
    EXPECT_EQ(error.kind(), ErrorKind::bad_option) << message;
    EXPECT_EQ(error.place().option, name) << message;
  }
  EXPECT_THAT(message, HasSubstr("`" + name + "`"));
  EXPECT_TRUE(space == before);
  return message;
}

TEST(SearchSettings, EverySettingOfTrainIsSharedOrRefusedWithAReason) {
  std::vector<std::string> shared;
  for (const Setting<Options>& setting : settings()) {
    const std::string why = why_not_shared(setting.name);
    if (why.empty()) shared.push_back(setting.name);
    EXPECT_TRUE(why.empty() || why.starts_with("`" + setting.name + "`: ")) << why;
  }
  EXPECT_THAT(why_not_shared("checkpoint-every"), HasSubstr("`checkpoint-every`: ")) << "a run's";
  // What a net of fixed size cannot use must not be taken silently: a new setting has to be looked at here.
  EXPECT_THAT(shared,
              ElementsAre("target", "ignore", "id", "categorical", "weight", "class-weights", "task", "scale",
                          "encode", "target-transform", "validation", "test", "group", "time", "fold", "seed",
                          "activation", "output-capnorm", "capped-batchnorm", "prior-offset", "metric",
                          "effort", "mixing-rate", "momentum-rate", "epsilon", "label-smoothing",
                          "batch-size", "patience", "fine-patience", "max-epochs", "max-steps", "precision",
                          "portable-math", "keep", "device", "threads", "memory"));
}

TEST(SearchSettings, WhatATrialHasOfItsOwnIsRefusedHoweverItWasSet) {
  SearchSpace space;
  for (const Setting<Options>& setting : settings()) {
    if (setting.name == "warm-start") continue;
    Options options;
    setting.set(options, test::other_values().at(setting.name));
    if (why_not_shared(setting.name).empty()) {
      EXPECT_NO_THROW(check_search(space, options)) << setting.name;
    } else {
      EXPECT_EQ(message_of([&] { check_search(space, options); }), why_not_shared(setting.name));
    }
  }
  Options warm;
  warm.warm_start = test::a_model();
  EXPECT_THAT(message_of([&] { check_search(space, warm); }), HasSubstr("`warm-start`"));
}

TEST(SearchSettings, AllSettingsComeBackAsTheyWereShown) {
  for (const SearchKind kind : {SearchKind::grid, SearchKind::random}) {
    SearchSpace space;
    space.kind = kind;
    const bool grid = kind == SearchKind::grid;
    set(space, "hidden",
        grid ? std::vector<std::string>{"186,43", "7"} : std::vector<std::string>{"10-200,5,1-9"});
    set(space, "steps", {grid ? "0.1,3e4,1e-7" : "1e-5-2.5E-1"});
    set(space, "normalised-steps", {grid ? "1" : "0.1"});
    set(space, "optimizers", {"adam,sgd"});
    set(space, "norms", {"none", "capnorm"});
    set(space, "reruns", {"7"});
    set(space, "top", {"3"});
    set(space, "trials", {"21"});
    SearchSpace back;
    back.kind = kind;
    for (const Setting<SearchSpace>& setting : search_settings(kind))
      setting.set(back, texts_of(setting.get(space), setting.list));
    EXPECT_TRUE(back == space);
    EXPECT_EQ(back.reruns, 7U);
    EXPECT_THAT(back.optimizers, ElementsAre(OptimizerKind::adam, OptimizerKind::sgd));
    if (grid) {
      EXPECT_THAT(back.steps.values, ElementsAre(0.1, 3e4, 1e-7));
      EXPECT_THAT(back.sizes, ElementsAre(ElementsAre(186, 43), ElementsAre(7)));
    } else {
      EXPECT_EQ(back.trials, 21U);
      EXPECT_EQ(back.steps.low, 1e-5);
      EXPECT_EQ(back.steps.high, 0.25);
      EXPECT_EQ(back.normalised_steps.low, 0.1);
      EXPECT_EQ(back.normalised_steps.high, 0.1);
      EXPECT_THAT(back.layers, ElementsAre(LayerRange{10, 200}, LayerRange{5, 5}, LayerRange{1, 9}));
    }
  }
}

TEST(SearchSettings, NonsenseIsRefusedWithTheFlagAndAnExample) {
  for (const char* text : {"", "-", "3-", "-3", "0-5", "5-3", "1.5-3", "x", "1-2-3", "1-200000", "nan-3"})
    refusal(SearchKind::random, "hidden", {text});
  EXPECT_THAT(refusal(SearchKind::random, "hidden", {"5-3"}), HasSubstr("empty"));
  EXPECT_THAT(refusal(SearchKind::random, "hidden", {"\t5-3"}), HasSubstr("range \\t5-3 is empty"));
  EXPECT_THAT(refusal(SearchKind::random, "hidden", {"1-2", "3-4"}), HasSubstr("one value"));
  for (const char* text : {"", ",", "0", "3,x", "2.5", "1e9", "-4"})
    refusal(SearchKind::grid, "hidden", {text});
  EXPECT_THAT(refusal(SearchKind::grid, "hidden", {"10-200"}), HasSubstr("random"));
  EXPECT_THAT(refusal(SearchKind::grid, "hidden", {"5,3", "5,3"}), HasSubstr("twice"));
  for (const char* name : {"steps", "normalised-steps"}) {
    for (const char* text : {"0-1", "-1", "x-1", "1-x", "1-inf", "nan", "-1-5", "1--5"})
      refusal(SearchKind::random, name, {text});
    EXPECT_THAT(refusal(SearchKind::random, name, {"5-1"}), HasSubstr("empty"));
    EXPECT_THAT(refusal(SearchKind::random, name, {"1,2"}), HasSubstr("grid takes lists"));
    for (const char* text : {"0", "-1", "x", "inf", "nan", ","}) refusal(SearchKind::grid, name, {text});
    EXPECT_THAT(refusal(SearchKind::grid, name, {"1-10"}), HasSubstr("random takes a range"));
    EXPECT_THAT(refusal(SearchKind::grid, name, {"1,10,1e1"}), HasSubstr("twice"));
  }
  EXPECT_THAT(refusal(SearchKind::grid, "optimizers", {"adamw"}), HasSubstr("nesterov"));
  EXPECT_THAT(refusal(SearchKind::grid, "optimizers", {"adarad"}), HasSubstr("penalty on size"));
  EXPECT_THAT(refusal(SearchKind::grid, "optimizers", {"sgd,sgd"}), HasSubstr("twice"));
  EXPECT_THAT(refusal(SearchKind::grid, "norms", {"layernorm"}), HasSubstr("batchnorm-affine"));
  for (const char* text : {"0", "-1", "1.5", "x"}) {
    refusal(SearchKind::random, "trials", {text});
    refusal(SearchKind::random, "reruns", {text});
    refusal(SearchKind::random, "top", {text});
  }
}

TEST(SearchSettings, AGridNeedsSizes) {
  SearchSpace space;
  EXPECT_NO_THROW(check_search(space, {}));
  space.kind = SearchKind::grid;
  EXPECT_THAT(message_of([&] { check_search(space, {}); }), HasSubstr("`hidden`"));
}

TEST(DefaultLayers, FollowTheNumberOfRows) {
  EXPECT_THAT(default_layers(50), ElementsAre(LayerRange{2, 100}, LayerRange{2, 100}));
  EXPECT_THAT(default_layers(20'000), ElementsAre(LayerRange{4, 200}, LayerRange{4, 200}));
  EXPECT_THAT(default_layers(1'000'000), ElementsAre(LayerRange{10, 500}, LayerRange{10, 500}));
}

}  // namespace
}  // namespace coppice
