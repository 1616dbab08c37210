#include "coppice/search/options.h"

#include "tests/support.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

void set(SearchOptions& options, const std::string& name, const std::vector<std::string>& values) {
  for (const Setting& setting : search_settings_of(options)) {
    if (setting.name == name) setting.set(setting.list ? split_commas(values) : values);
  }
}

std::string refusal(SearchKind kind, const std::string& name, const std::vector<std::string>& values) {
  SearchOptions options;
  options.kind = kind;
  const SearchSpace before = options.space;
  std::string message = message_of([&] { set(options, name, values); });
  EXPECT_THAT(message, HasSubstr("--" + name));
  EXPECT_TRUE(options.space == before);
  return message;
}

TEST(SearchOptions, EverySettingOfTrainIsSharedOrRefusedWithAReason) {
  RunOptions options;
  const std::vector<Setting> all = settings_of(options);
  const std::vector<Setting> shared = shared_settings_of(options);
  for (const Setting& setting : all) {
    const bool taken = std::ranges::count(shared, setting.name, &Setting::name) == 1;
    const std::string why = why_not_shared(setting.name);
    EXPECT_EQ(taken, why.empty()) << setting.name;
    EXPECT_TRUE(taken || why.starts_with("--" + setting.name + ": ")) << why;
  }
  // What a net of fixed size cannot use must not be taken silently: a new setting has to be looked at here.
  std::vector<std::string> names;
  for (const Setting& setting : shared) names.push_back(setting.name);
  EXPECT_THAT(names,
              ElementsAre("target", "ignore", "id", "categorical", "task", "scale", "validation", "test",
                          "seed", "activation", "output-capnorm", "prior-offset", "effort", "mixing-rate",
                          "momentum-rate", "epsilon", "batch-size", "patience", "fine-patience", "max-epochs",
                          "max-steps", "precision", "keep", "device", "threads"));
}

TEST(SearchOptions, AllSettingsComeBackAsTheyWereShown) {
  for (const SearchKind kind : {SearchKind::grid, SearchKind::random}) {
    SearchOptions options;
    options.kind = kind;
    const bool grid = kind == SearchKind::grid;
    set(options, "hidden",
        grid ? std::vector<std::string>{"186,43", "7"} : std::vector<std::string>{"10-200,5,1-9"});
    set(options, "steps", {grid ? "0.1,3e4,1e-7" : "1e-5-2.5E-1"});
    set(options, "normalised-steps", {grid ? "1" : "0.1"});
    set(options, "optimizers", {"adam,sgd"});
    set(options, "norms", {"none", "capnorm"});
    set(options, "reruns", {"7"});
    SearchOptions back;
    back.kind = kind;
    for (const Setting& setting : search_settings_of(options)) {
      const nlohmann::json value = setting.get();
      std::vector<std::string> texts;
      for (const auto& entry : value.is_array() ? value : nlohmann::json::array({value}))
        texts.push_back(entry.is_string() ? entry.get<std::string>() : entry.dump());
      set(back, setting.name, texts);
    }
    EXPECT_TRUE(back.space == options.space);
    EXPECT_EQ(back.reruns, 7U);
    EXPECT_THAT(back.space.optimizers, ElementsAre(OptimizerKind::adam, OptimizerKind::sgd));
    if (grid) {
      EXPECT_THAT(back.space.steps.values, ElementsAre(0.1, 3e4, 1e-7));
      EXPECT_THAT(back.space.sizes, ElementsAre(ElementsAre(186, 43), ElementsAre(7)));
    } else {
      EXPECT_EQ(back.space.steps.low, 1e-5);
      EXPECT_EQ(back.space.steps.high, 0.25);
      EXPECT_EQ(back.space.normalised_steps.low, 0.1);
      EXPECT_EQ(back.space.normalised_steps.high, 0.1);
      EXPECT_THAT(back.space.layers, ElementsAre(LayerRange{10, 200}, LayerRange{5, 5}, LayerRange{1, 9}));
    }
  }
}

TEST(SearchOptions, NonsenseIsRefusedWithTheFlagAndAnExample) {
  for (const char* text : {"", "-", "3-", "-3", "0-5", "5-3", "1.5-3", "x", "1-2-3", "1-200000", "nan-3"})
    refusal(SearchKind::random, "hidden", {text});
  EXPECT_THAT(refusal(SearchKind::random, "hidden", {"5-3"}), HasSubstr("empty"));
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

TEST(SearchOptions, AGridNeedsSizes) {
  SearchOptions options;
  EXPECT_NO_THROW(check_search(options));
  options.kind = SearchKind::grid;
  EXPECT_THAT(message_of([&] { check_search(options); }), HasSubstr("--hidden"));
}

TEST(DefaultLayers, FollowTheNumberOfRows) {
  EXPECT_THAT(default_layers(50), ElementsAre(LayerRange{2, 100}, LayerRange{2, 100}));
  EXPECT_THAT(default_layers(20'000), ElementsAre(LayerRange{4, 200}, LayerRange{4, 200}));
  EXPECT_THAT(default_layers(1'000'000), ElementsAre(LayerRange{10, 500}, LayerRange{10, 500}));
}

}  // namespace
}  // namespace coppice
