#include "coppice/core/bytes.h"
#include "coppice/core/file.h"
#include "coppice/model/header.h"

#include "tests/model/models.h"

#include <array>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <limits>
#include <utility>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::HasSubstr;

TEST(ModelFile, LoadingAndSavingGivesTheSameBytes) {
  const ModelParts model = small_model();
  const std::string bytes = model_bytes(model);
  const ModelParts again = parse_model(bytes, "m");
  EXPECT_EQ(model_bytes(again), bytes);
  EXPECT_EQ(again.network, model.network);
  EXPECT_EQ(again.statistics, model.statistics);
  EXPECT_EQ(again.temperature, model.temperature);
  EXPECT_EQ(again.encoding.offset, model.encoding.offset);
  EXPECT_EQ(again.encoding.target.classes, model.encoding.target.classes);
  EXPECT_EQ(again.encoding.columns[1].categories, model.encoding.columns[1].categories);
  EXPECT_EQ(again.encoding.ids, model.encoding.ids);
  EXPECT_EQ(again.origin.seed, model.origin.seed);
  EXPECT_EQ(again.origin.test_error, model.origin.test_error);
}

TEST(ModelFile, EveryKindOfModelIsTakenBack) {
  ModelParts regression = small_model({2, 2, 2});
  regression.encoding.task = Task::regression;
  regression.encoding.scaling = Scaling::none;
  regression.encoding.format = Format::arff;
  regression.encoding.target = {.name = "price", .classes = {}, .mean = 1e5, .deviation = 0.1};
  regression.network.layers.back() = {Matrix<float>(1, 2), {0}};
  regression.statistics.mean.back() = {0};
  regression.statistics.divisor.back() = {1};
  regression.network.offset.clear();
  regression.network.output_capnorm = false;
  regression.network.activation = Activation::leaky_relu;
  regression.origin.train_loss = std::nan("");
  regression.origin.validation_error = std::numeric_limits<double>::infinity();
  regression.origin.test_error = std::nullopt;
  const std::string bytes = model_bytes(regression);
  const ModelParts again = parse_model(bytes, "m");
  EXPECT_EQ(model_bytes(again), bytes);
  EXPECT_EQ(again.encoding.task, Task::regression);
  EXPECT_EQ(again.encoding.target.mean, 1e5);
  EXPECT_EQ(again.encoding.target.deviation, 0.1);
  EXPECT_EQ(again.network.activation, Activation::leaky_relu);
  EXPECT_FALSE(again.network.output_capnorm);
  EXPECT_TRUE(std::isnan(again.origin.train_loss));
  EXPECT_FALSE(again.origin.test_error.has_value());
}

TEST(ModelFile, FreeMeansAndVariancesAreTakenBackAndNeedANewerVersion) {
  ModelParts model = small_model();
  EXPECT_EQ(model_bytes(model)[8], 1) << "older programs read it";
  make_affine(model);
  const std::string bytes = model_bytes(model);
  EXPECT_EQ(bytes[8], 2);
  const ModelParts again = parse_model(bytes, "m");
  EXPECT_EQ(again.network, model.network);
  EXPECT_EQ(again.network.norm, Norm::batchnorm_affine);
  EXPECT_TRUE(again.network.layers.back().affine.empty());
  EXPECT_EQ(model_bytes(again), bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(parse_model(bytes.substr(0, size), "m"), Error) << size;
  }
}

TEST(ModelFile, KinksAreTakenBackForWhoGoesOnTraining) {
  ModelParts model = small_model();
  EXPECT_FALSE(model_header(model).contains("kinks"));
  model.network.kinks = 0.5;
  for (std::size_t l = 0; l + 1 < model.network.layers.size(); ++l) {
    for (std::size_t j = 0; j < model.network.layers[l].weights.rows(); ++j)
      model.network.layers[l].kinks.push_back(0.1F * static_cast<float>(j) - 1.0F / 3);
  }
  const std::string bytes = model_bytes(model);
  EXPECT_EQ(bytes[8], 1) << "older programs read it: they need no kinks to predict";
  const ModelParts again = parse_model(bytes, "m");
  EXPECT_EQ(again.network, model.network);
  EXPECT_EQ(model_bytes(again), bytes);
  nlohmann::json header = model_header(model);
  header["layers"][0]["kinks"].erase(0);
  const std::size_t values = 10 + 4 * 5 + 8 + 3 * 4 + 6 + 3 * 3 + 6 + 3;
  EXPECT_THROW(parse_model(file_with(header, values), "m"), Error) << "one number too few";
  header["layers"][0]["kinks"].push_back(1e300);
  EXPECT_THROW(parse_model(file_with(header, values), "m"), Error) << "no unit is born with that";
}

TEST(ModelFile, AFactorOnTheOutputsIsTakenBackForWhoGoesOnTraining) {
  ModelParts model = small_model();
  EXPECT_FALSE(model_header(model)["layers"].back().contains("scale"));
  model.network.output_scale = 2.5F;
  const std::string bytes = model_bytes(model);
  EXPECT_EQ(bytes[8], 1) << "older programs read it: a model's numbers have it in them";
  const ModelParts again = parse_model(bytes, "m");
  EXPECT_EQ(again.network, model.network);
  EXPECT_EQ(model_bytes(again), bytes);
  nlohmann::json header = model_header(model);
  header["layers"].back()["scale"] = 0;
  const std::size_t values = 10 + 4 * 5 + 8 + 3 * 4 + 6 + 3 * 3 + 6 + 3;
  EXPECT_THROW(parse_model(file_with(header, values), "m"), Error);
}

TEST(ModelFile, FilesThatDoNotNameTheNormHaveCapNorm) {
  nlohmann::json header = model_header(small_model());
  header.erase("norm");
  const std::size_t values = 10 + 4 * 5 + 8 + 3 * 4 + 6 + 3 * 3 + 6 + 3;
  EXPECT_EQ(parse_model(file_with(header, values), "m").network.norm, Norm::capnorm);
}

/// The bytes that coppice 0.1.0 wrote before numbers were squashed.
std::string file_of_before() {
  const std::string header =
      R"({"activation":"relu","encoding":{"columns":[{"categories":[],"fill":2.0796079635620117,"indicator":true,)"
      R"("kind":"number","name":"x"},{"categories":["g","r"],"fill":0.0,"indicator":false,"kind":"text","name":"c"}],)"
      R"("format":"csv","ids":[],"scale":"column","target":{"classes":[],"deviation":4.2946111816015415,)"
      R"("mean":6.659833354502917,"name":"y"},"task":"regression","unused":[]},"layers":[{"fan_in":5,"units":1},)"
      R"({"fan_in":1,"units":1}],"norm":"capnorm","origin":{"epochs":3,"lambda":0.0,"optimizer":"adam",)"
      R"("phase":"polish","seed":0,"test_error":null,"train_loss":1.0659050565876533,"train_rows":50,)"
      R"("validation_error":0.7363296658003546,"validation_rows":10,"version":"0.1.0"},"output_capnorm":true,)"
      R"("prior_offset":false,"temperature":1.0}         )";
  constexpr std::array<std::uint32_t, 20> tensors{0x4005184c, 0x3e19999a, 0x3f000000, 0x3f000000, 0x00000000,
                                                  0x3faa045f, 0x3f800000, 0x3fb504f3, 0x3fb504f3, 0x00000000,
                                                  0xbee61804, 0x3eee45f5, 0xbd977781, 0x3f0b96ac, 0x3efcdb09,
                                                  0x3d3fb4c8, 0x3f800000, 0xbf689213, 0xbe5a6161, 0x3f800000};
  ByteWriter file;
  file.bytes() += "COPPICE\n";
  file.put<std::uint32_t>(1);
  file.put<std::uint32_t>(0x34568bb0);
  file.put<std::uint64_t>(header.size());
  file.bytes() += header;
  file.put_all(std::span<const std::uint32_t>(tensors));
  return file.bytes();
}

TEST(ModelFile, AFileOfBeforeHasNeitherSquashedNumbersNorBinsAndPredictsAsItDid) {
  const std::string bytes = file_of_before();
  const Model model = Model::from_bytes(bytes, "m");
  EXPECT_EQ(model.parts().encoding.scaling, Scaling::standard);
  EXPECT_FALSE(model.parts().encoding.columns[0].squash.used());
  EXPECT_FALSE(model.parts().encoding.has_bins());
  EXPECT_EQ(model.bytes(), bytes);
  Table table;
  table.add_numbers("x", std::vector{0.5, -1.0, 1.5, 2.5, std::nan(""), -3.0});
  table.add_texts("c", std::vector<std::string>{"r", "g", "b", "r", "r", "r"});
  const std::vector<double> expected{2.643542, 2.566818, 7.575711, 7.3014, 4.506637, -5.507709};
  const Prediction prediction = model.predict(table);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(prediction.values[i], expected[i], 1e-5) << i;
}

TEST(ModelFile, SquashedNumbersAndBinsAreTakenBackAndNeedANewerVersion) {
  const ModelParts model = model_with_bins();
  const std::string bytes = model_bytes(model);
  EXPECT_EQ(bytes[8], 4);
  const ModelParts again = parse_model(bytes, "m");
  EXPECT_EQ(model_bytes(again), bytes);
  EXPECT_EQ(again.encoding.scaling, Scaling::column);
  EXPECT_EQ(again.encoding.columns[0].squash.median, 2.5F);
  EXPECT_EQ(again.encoding.columns[0].squash.factor, 0.1F);
  EXPECT_EQ(again.encoding.columns[0].squash.limit, 3.0F);
  EXPECT_EQ(again.encoding.columns[0].edges, model.encoding.columns[0].edges);
  EXPECT_TRUE(again.encoding.columns[1].edges.empty());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(parse_model(bytes.substr(0, size), "m"), Error) << size;
}

TEST(ModelFile, BinsAreEnoughForANewerVersion) {
  ModelParts model = model_with_bins();
  model.encoding.scaling = Scaling::standard;
  model.encoding.columns[0].squash = {};
  const std::string bytes = model_bytes(model);
  EXPECT_EQ(bytes[8], 4);
  EXPECT_EQ(parse_model(bytes, "m").encoding.scaling, Scaling::standard);
}

TEST(ModelFile, ColumnsMadeOfOthersAndLogarithmsAreTakenBack) {
  ModelParts model = small_model();
  model.encoding.derived = {{.source = "when", .kind = DerivedKind::moment, .origin = 19844.5},
                            {.source = "size", .kind = DerivedKind::rank, .order = {"s", "m", "l"}}};
  std::string bytes = model_bytes(model);
  EXPECT_EQ(bytes[8], 4);
  ModelParts again = parse_model(bytes, "m");
  EXPECT_EQ(model_bytes(again), bytes);
  ASSERT_EQ(again.encoding.derived.size(), 2U);
  EXPECT_EQ(again.encoding.derived[0].kind, DerivedKind::moment);
  EXPECT_EQ(again.encoding.derived[0].origin, 19844.5);
  EXPECT_EQ(again.encoding.derived[1].order, model.encoding.derived[1].order);
  model.encoding.derived.clear();
  model.encoding.target.transform = TargetTransform::log;
  model.encoding.target.spread = 12.5;
  bytes = model_bytes(model);
  EXPECT_EQ(bytes[8], 4);
  again = parse_model(bytes, "m");
  EXPECT_EQ(again.encoding.target.transform, TargetTransform::log);
  EXPECT_EQ(again.encoding.target.spread, 12.5);
}

TEST(ModelFile, TensorsStartOnACacheLine) {
  const std::string bytes = model_bytes(small_model());
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data() + 16, sizeof size);
  EXPECT_EQ((24 + size) % 64, 0U);
}

TEST(ModelFile, ANewerVersionSaysSo) {
  std::string bytes = model_bytes(small_model());
  bytes[8] = 9;
  EXPECT_THAT(
      message_of([&] { parse_model(bytes, "m"); }),
      ::testing::AllOf(HasSubstr("version 9"), HasSubstr("up to 8"), HasSubstr("use a newer coppice")));
  for (const char version : {'\0', '\3', '\5', '\6'}) {
    bytes[8] = version;
    EXPECT_THAT(message_of([&] { parse_model(bytes, "m"); }), HasSubstr("truncated or altered"));
  }
}

TEST(ModelFile, SeveralNetsAreTakenBackAndNeedANewerVersion) {
  const ModelParts model = several_nets();
  const std::string bytes = model_bytes(model);
  EXPECT_EQ(bytes[8], 7);
  const ModelParts again = parse_model(bytes, "m");
  ASSERT_EQ(again.nets(), 3U);
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_EQ(again.net(n).network, model.net(n).network) << n;
    EXPECT_EQ(again.net(n).statistics, model.net(n).statistics) << n;
    EXPECT_EQ(again.net(n).plain, model.net(n).plain) << n;
  }
  EXPECT_EQ(model_bytes(again), bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(parse_model(bytes.substr(0, size), "m"), Error) << size;
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(static_cast<unsigned char>(flipped[bit / 8]) ^ (1U << (bit % 8)));
    EXPECT_THROW(parse_model(flipped, "m"), Error) << bit;
  }
}

}  // namespace
}  // namespace coppice
