#include "coppice/api/settings.h"

#include "tests/api/other_values.h"
#include "tests/support.h"

#include <gmock/gmock.h>
#include <set>

namespace coppice {
namespace {

using namespace coppice::test;
using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Names and defaults of the contract; empty: not set, or found out.
const std::map<std::string, std::string> contract{{"target", ""},
                                                  {"ignore", ""},
                                                  {"id", ""},
                                                  {"categorical", ""},
                                                  {"weight", ""},
                                                  {"class-weights", ""},
                                                  {"task", "auto"},
                                                  {"scale", "auto"},
                                                  {"encode", "auto"},
                                                  {"target-transform", "auto"},
                                                  {"ensemble", ""},
                                                  {"distil", "auto"},
                                                  {"refit", "auto"},
                                                  {"validation", ""},
                                                  {"test", ""},
                                                  {"group", ""},
                                                  {"time", ""},
                                                  {"fold", ""},
                                                  {"seed", "0"},
                                                  {"hidden-layers", "2"},
                                                  {"start-units", ""},
                                                  {"fixed-size", ""},
                                                  {"norm", "capnorm"},
                                                  {"activation", "relu"},
                                                  {"output-capnorm", "on"},
                                                  {"capped-batchnorm", "off"},
                                                  {"kinks", "0.0"},
                                                  {"kink-step", "0.0"},
                                                  {"output-scale-step", "0.0"},
                                                  {"capnorm-rows", "0"},
                                                  {"prior-offset", "on"},
                                                  {"lambda", ""},
                                                  {"path", "5"},
                                                  {"regularizer", "fan-in"},
                                                  {"penalty-power", "2"},
                                                  {"layer-lambdas", ""},
                                                  {"warm-start", ""},
                                                  {"metric", ""},
                                                  {"pick", "best"},
                                                  {"max-parameters", ""},
                                                  {"max-bytes", ""},
                                                  {"for", "model"},
                                                  {"seeds", "1"},
                                                  {"repeat", "1"},
                                                  {"optimizer", "adarad"},
                                                  {"effort", "normal"},
                                                  {"angle", ""},
                                                  {"angular-step", ""},
                                                  {"unit-lifetime", ""},
                                                  {"step", ""},
                                                  {"momentum-rate", "0.1"},
                                                  {"radial-step", ""},
                                                  {"add-units", ""},
                                                  {"additions-per-epoch", ""},
                                                  {"mixing-rate", "0.005"},
                                                  {"epsilon", "1e-08"},
                                                  {"trust-region", "0.0"},
                                                  {"relative-epsilon", "0.0"},
                                                  {"relative-shrinkage", "off"},
                                                  {"radial-rule", "linear"},
                                                  {"peak-half-life", "0.0"},
                                                  {"label-smoothing", "0.0"},
                                                  {"batch-size", ""},
                                                  {"grow-epochs", ""},
                                                  {"softenings", ""},
                                                  {"patience", ""},
                                                  {"settle-epochs", ""},
                                                  {"fine-patience", ""},
                                                  {"max-epochs", ""},
                                                  {"max-steps", ""},
                                                  {"time-limit", ""},
                                                  {"precision", "auto"},
                                                  {"portable-math", ""},
                                                  {"keep", "best"},
                                                  {"device", "auto"},
                                                  {"threads", ""},
                                                  {"rows-over-ranks", ""},
                                                  {"memory", ""}};

TEST(Settings, AreThoseOfTheContractWithItsDefaults) {
  std::map<std::string, std::string> all;
  for (const SettingInfo& info : list_settings()) {
    EXPECT_TRUE(all.emplace(info.name, info.standard).second) << info.name << " comes twice";
  }
  EXPECT_EQ(all, contract);
}

TEST(Settings, AllButThoseAboutTheMachineAndTheChoiceShapeTheResult) {
  const std::set<std::string> machine{"device", "threads", "memory", "time-limit", "pick", "repeat"};
  for (const Setting<Options>& setting : settings()) {
    EXPECT_EQ(setting.shapes_result, !machine.contains(setting.name)) << setting.name;
    EXPECT_FALSE(setting.help.empty()) << setting.name;
    EXPECT_FALSE(setting.value.empty()) << setting.name;
  }
}

TEST(Settings, GpusAreToldByTheirNumbers) {
  const Setting<Options>& device = *find_setting("device");
  Options options;
  device.set(options, {"cuda:0,2,2"});
  EXPECT_EQ(options.device, Device::cuda);
  EXPECT_EQ(options.gpus, (std::vector<std::size_t>{0, 2, 2}));
  EXPECT_EQ(device.get(options), "cuda:0,2,2");
  device.set(options, {"cuda"});
  EXPECT_TRUE(options.gpus.empty());
  EXPECT_EQ(device.get(options), "cuda");
  device.set(options, {"cuda:1"});
  device.set(options, {"auto"});
  EXPECT_FALSE(options.device);
  EXPECT_TRUE(options.gpus.empty());
}

TEST(Settings, BytesMayBeThousandsAndMillions) {
  for (const auto& [text, bytes] : std::map<std::string, std::size_t>{{"1000000", 1'000'000},
                                                                      {"2000K", 2'000'000},
                                                                      {"500M", 500'000'000},
                                                                      {"1.5G", 1'500'000'000},
                                                                      {" 2 T ", 2'000'000'000'000}}) {
    Options options;
    set_option(options, "memory", {text});
    EXPECT_EQ(options.memory, bytes) << text;
    EXPECT_EQ(get_option(options, "memory"), std::vector{std::to_string(bytes)});
  }
}

TEST(Settings, AreFoundByTheirNamesHoweverThoseAreJoined) {
  EXPECT_EQ(find_setting("hidden-layers")->name, "hidden-layers");
  EXPECT_EQ(find_setting("hidden_layers")->name, "hidden-layers");
  EXPECT_EQ(find_setting("hidden layers"), nullptr);
  EXPECT_EQ(find_setting(""), nullptr);
}

TEST(Settings, TextsOfJsonAreWhatASettingTakes) {
  EXPECT_THAT(texts_of("a,b", true), ElementsAre("a", "b"));
  EXPECT_THAT(texts_of("a,b", false), ElementsAre("a,b"));
  EXPECT_THAT(texts_of(json::array({"a,b", "c"}), true), ElementsAre("a,b", "c")) << "names may hold commas";
  EXPECT_THAT(texts_of(json::array({1, 0.5, true}), true), ElementsAre("1", "0.5", "on"));
  EXPECT_THAT(texts_of(false, false), ElementsAre("off"));
  EXPECT_THAT(split_commas({"a,,b,", "c", ""}), ElementsAre("a", "b", "c"));
  EXPECT_THAT(split_commas({}), IsEmpty());
  EXPECT_THAT(split_commas({R"("a,b",c,"d ""e""",)", R"("f")"}), ElementsAre("a,b", "c", "d \"e\"", "f"));
  EXPECT_THAT(split_commas({R"("a,b)", R"("a"b,c)", R"(a"b",c)", R"("")", R"(""",)"}),
              ElementsAre("\"a", "b", "\"a\"b", "c", "a\"b\"", "c", "\"\"\""))
      << "quotes that do not close are part of a name";
}

TEST(Settings, ValuesOutOfRangeNameTheSettingAndChangeNothing) {
  const std::map<std::string, std::vector<std::string>> bad{
      {"seed", {"-1", "1.5", "1e16", "", "x", "nan"}},
      {"hidden-layers", {"0", "101"}},
      {"start-units", {"0", "1e9"}},
      {"fixed-size", {"0", "1.5", "x", "1e6", "-3"}},
      {"grow-epochs", {"0", "1.5", "-3"}},
      {"softenings", {"-1", "1.5", "101"}},
      {"metric", {"accuracy"}},
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
      {"for", {"onnx", "int8", ""}},
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
      {"portable-math", {"yes", "1"}},
      {"device", {"gpu", "cuda:", "cuda:x", "cuda:0,", "cuda:-1", "cuda:0.5", "cpu:0", "cuda:2000"}},
      {"keep", {"both"}},
      {"threads", {"0", "2.5"}},
      {"memory", {"0", "-5G", "G", "2X", "999K", "1e30", "nan"}},
      {"time-limit", {"0", "-5"}},
      {"class-weights", {"", "equal", "a=0", "a=-1", "a=x"}},
      {"task", {"magic"}},
      {"scale", {"magic"}},
      {"encode", {"magic", "", "automatic"}},
      {"target-transform", {"root", ""}},
      {"repeat", {"0", "1001", "x"}},
      {"ensemble", {"1", "0", "on", "1001"}}};
  for (const auto& [name, values] : bad) {
    for (const std::string& value : values) {
      Options options;
      set(options, "seeds", {"2"});
      set(options, "lambda", {"0.5"});
      const json before = settings_json(settings(), options);
      try {
        set(options, name, {value});
        ADD_FAILURE() << name << " took " << value;
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("`" + name + "`")) << value;
        EXPECT_EQ(error.kind(), ErrorKind::bad_option) << name;
        EXPECT_EQ(error.place().option, name);
      }
      EXPECT_EQ(settings_json(settings(), options), before) << name << " was changed";
    }
  }
}

TEST(Settings, RefusalsSayWhy) {
  Options options;
  EXPECT_THAT(message_of([&] { set(options, "activation", {"sigmoid"}); }), HasSubstr("s(0) = 0"));
  EXPECT_THAT(message_of([&] { set(options, "lambda", {"1e-3", "0.001"}); }), HasSubstr("twice"));
  EXPECT_THAT(message_of([&] { set(options, "lambda", {}); }), HasSubstr("at least one"));
  EXPECT_THAT(message_of([&] { set(options, "seed", {"1", "2"}); }), HasSubstr("one value"));
  EXPECT_THAT(message_of([&] { set(options, "warm-start", {"m.coppice"}); }), HasSubstr("takes a model"));
}

TEST(Settings, Latin1NamesBecomeUtf8) {
  Options options;
  set(options, "target",
      {"gr\xF6\xDF"
       "e"});
  set(options, "ignore", {"\xE4", "b"});
  EXPECT_EQ(options.target, "größe");
  EXPECT_EQ(settings_json(settings(), options)["ignore"].dump(), "[\"ä\",\"b\"]");
}

}  // namespace
}  // namespace coppice
