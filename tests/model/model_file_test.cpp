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

/// A model file with this header and so many floats after it, its checksum right.
std::string file_with(const nlohmann::json& header, std::size_t values, std::uint64_t header_size = 0) {
  const std::string text = header.dump();
  ByteWriter body;
  body.put<std::uint64_t>(header_size == 0 ? text.size() : header_size);
  body.bytes() += text;
  for (std::size_t i = 0; i < values; ++i) body.put(1.0F);
  ByteWriter file;
  file.bytes() += "COPPICE\n";
  file.put<std::uint32_t>(1);
  file.put(checksum(body.bytes()));
  return file.bytes() + body.bytes();
}

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

/// The number column of the small model gets two bins.
ModelParts model_with_bins() {
  ModelParts model = small_model();
  model.encoding.scaling = Scaling::column;
  model.encoding.columns[0].squash = {.median = 2.5F, .factor = 0.1F};
  model.encoding.columns[0].edges = {-1, 0.1F, 1e10F};
  model.encoding.offset.resize(7);
  model.encoding.factor.resize(7);
  model.network.layers[0].weights = Matrix<float>(4, 7);
  fill(model, 3);
  return model;
}

/// Three nets of one, two and two hidden layers, the second without bins.
ModelParts several_nets() {
  ModelParts model = model_with_bins();
  ModelParts plain = small_model({5}, 8);
  ModelParts other = model_with_bins();
  fill(other, 9);
  model.others.push_back({plain.network, plain.statistics, true});
  model.others.push_back({other.network, other.statistics, false});
  return model;
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

TEST(ModelFile, EdgesAndSquashesThatMakeNoSenseAreRefused) {
  const auto refused = [](const std::function<void(InputColumn&)>& change) {
    ModelParts model = model_with_bins();
    change(model.encoding.columns[0]);
    EXPECT_THROW(parse_model(model_bytes(model), "m"), Error);
  };
  refused([](InputColumn& column) { std::swap(column.edges[0], column.edges[1]); });
  refused([](InputColumn& column) { column.edges[1] = column.edges[0]; });
  refused([](InputColumn& column) { column.edges[2] = std::numeric_limits<float>::infinity(); });
  refused([](InputColumn& column) { column.edges.push_back(1e11F); });
  refused([](InputColumn& column) { column.squash.limit = 0; });
  refused([](InputColumn& column) { column.squash.median = std::numeric_limits<float>::infinity(); });
}

TEST(ModelFile, TensorsStartOnACacheLine) {
  const std::string bytes = model_bytes(small_model());
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data() + 16, sizeof size);
  EXPECT_EQ((24 + size) % 64, 0U);
}

TEST(ModelFile, TruncatedAtAnyLengthIsAnError) {
  const std::string bytes = model_bytes(small_model());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THAT(message_of([&] { parse_model(std::string_view(bytes).substr(0, size), "m.coppice"); }),
                HasSubstr("m.coppice"))
        << size;
  }
  EXPECT_THAT(message_of([&] { parse_model(bytes + "x", "m"); }), HasSubstr("altered"));
}

TEST(ModelFile, AFlippedBitOfTheVersionIsAnErrorInEveryVersion) {
  ModelParts affine = small_model();
  make_affine(affine);
  for (const ModelParts& model : {small_model(), affine, model_with_bins()}) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string flipped = model_bytes(model);
      flipped[8] = static_cast<char>(flipped[8] ^ (1U << bit));
      EXPECT_THROW(parse_model(flipped, "m"), Error) << bit;
    }
  }
}

TEST(ModelFile, AFlippedBitAnywhereIsAnError) {
  const std::string bytes = model_bytes(small_model());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string flipped = bytes;
      flipped[at] = static_cast<char>(flipped[at] ^ (1U << bit));
      EXPECT_THROW(parse_model(flipped, "m"), Error) << "byte " << at << " bit " << bit;
    }
  }
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

TEST(ModelFile, NetsThatDoNotFitTheirModelAreRefused) {
  const auto refuse = [](const std::function<void(nlohmann::json&)>& change) {
    const ModelParts model = several_nets();
    nlohmann::json header = model_header(model);
    std::size_t values = 2 * 7;
    for (std::size_t n = 0; n < 3; ++n) {
      for (const Layer<float>& layer : model.net(n).network.layers)
        values += layer.weights.rows() * (layer.weights.cols() + 2);
      values += 3;
    }
    EXPECT_NO_THROW(model_from_header(header, values, "m"));
    change(header);
    EXPECT_THAT(message_of([&] { model_from_header(header, values, "m"); }),
                HasSubstr("does not fit together"));
  };
  refuse([](nlohmann::json& header) { header["others"][0]["plain"] = false; });
  refuse([](nlohmann::json& header) { header["others"][1]["layers"].back()["units"] = 2; });
  refuse([](nlohmann::json& header) { header["others"][1]["layers"] = nlohmann::json::array(); });
  refuse([](nlohmann::json& header) { header["others"].push_back(header["others"][0]); });
}

TEST(ModelFile, OtherFilesSayWhatIsNeeded) {
  EXPECT_THAT(message_of([&] { parse_model("a,b\n1,2\n", "table.csv"); }), HasSubstr("not a coppice model"));
}

TEST(ModelFile, AbsurdSizesAreRefusedBeforeAnythingIsAllocated) {
  const ModelParts model = small_model();
  const nlohmann::json good = model_header(model);
  const std::size_t values = (model_bytes(model).size() - 24) / sizeof(float);  // plenty
  for (const char* units :
       {"9223372036854775807", "18446744073709551615", "4294967296", "1000000000", "-1", "1e300", "0"}) {
    for (std::size_t layer = 0; layer < 3; ++layer) {
      nlohmann::json header = good;
      header["layers"][layer]["units"] = nlohmann::json::parse(units);
      EXPECT_THROW(parse_model(file_with(header, values), "m"), Error) << units;
      header["layers"][layer]["fan_in"] = nlohmann::json::parse(units);
      EXPECT_THROW(parse_model(file_with(header, values), "m"), Error) << units;
    }
  }
  nlohmann::json many = good;
  for (int i = 0; i < 1000; ++i) many["layers"].push_back({{"units", 1000000}, {"fan_in", 1000000}});
  EXPECT_THROW(parse_model(file_with(many, values), "m"), Error);
  for (const std::uint64_t size : {~0ULL, 1ULL << 62U, 1ULL << 40U}) {
    EXPECT_THROW(parse_model(file_with(good, 100, size), "m"), Error);
  }
}

TEST(ModelFile, AHeaderThatMakesNoSenseIsRefusedWhateverIsMissing) {
  const ModelParts model = small_model();
  const nlohmann::json good = model_header(model);
  const std::size_t values = 10 + 4 * 5 + 8 + 3 * 4 + 6 + 3 * 3 + 6 + 3;
  EXPECT_NO_THROW(parse_model(file_with(good, values), "m"));
  EXPECT_THROW(parse_model(file_with(good, values + 1), "m"), Error);
  EXPECT_THROW(parse_model(file_with(good, values - 1), "m"), Error);
  for (const auto& [key, value] : good.items()) {
    nlohmann::json header = good;
    header.erase(key);
    if (key != "norm") {  // which files of earlier versions lack
      EXPECT_THROW(parse_model(file_with(header, values), "m"), Error) << key;
    }
    header[key] = nlohmann::json::array({"nonsense"});
    EXPECT_THROW(parse_model(file_with(header, values), "m"), Error) << key;
  }
  nlohmann::json header = good;
  header["activation"] = "swish";
  EXPECT_THAT(message_of([&] { parse_model(file_with(header, values), "m"); }), HasSubstr("\"swish\""));
  header = good;
  header["temperature"] = 0;
  EXPECT_THROW(parse_model(file_with(header, values), "m"), Error);
  EXPECT_THROW(parse_model(file_with("text", values), "m"), Error);
}

TEST(ModelFile, CountsThatAreNoneAreRefused) {
  const nlohmann::json good = nlohmann::json::parse(model_header(small_model()).dump());
  const std::size_t values = 10 + 4 * 5 + 8 + 3 * 4 + 6 + 3 * 3 + 6 + 3;
  for (const char* key : {"seed", "epochs", "train_rows", "validation_rows"}) {
    for (const char* wrong : {"-1", "0.5", "1e300"}) {
      nlohmann::json header = good;
      header["origin"][key] = nlohmann::json::parse(wrong);
      EXPECT_THAT(message_of([&] { parse_model(file_with(header, values), "m"); }),
                  HasSubstr("header cannot be read"))
          << key << wrong;
    }
  }
}

/// Every tensor of a model that has all of them, by name.
std::vector<std::pair<std::string, std::function<float&(ModelParts&)>>> places() {
  return {{"offset of an input", [](ModelParts& m) -> float& { return m.encoding.offset[4]; }},
          {"factor of an input", [](ModelParts& m) -> float& { return m.encoding.factor[0]; }},
          {"first weight", [](ModelParts& m) -> float& { return m.network.layers[0].weights(0, 0); }},
          {"last weight", [](ModelParts& m) -> float& { return m.network.layers[2].weights(2, 2); }},
          {"mean", [](ModelParts& m) -> float& { return m.statistics.mean[1][2]; }},
          {"divisor", [](ModelParts& m) -> float& { return m.statistics.divisor[2][0]; }},
          {"free variance", [](ModelParts& m) -> float& { return m.network.layers[1].affine(2, 0); }},
          {"offset of a class", [](ModelParts& m) -> float& { return m.network.offset[1]; }}};
}

TEST(ModelFile, NumbersThatAreNotFiniteAreRefused) {
  for (const auto& [name, place] : places()) {
    for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                              -std::numeric_limits<float>::infinity()}) {
      ModelParts model = small_model();
      make_affine(model);
      ASSERT_NO_THROW(parse_model(model_bytes(model), "m"));
      place(model) = value;
      EXPECT_THAT(message_of([&] { parse_model(model_bytes(model), "m.coppice"); }),
                  ::testing::AllOf(HasSubstr("m.coppice"), HasSubstr("finite")))
          << name << " " << value;
    }
  }
}

TEST(ModelFile, AFillBeyondFloatsIsRefused) {
  nlohmann::json header = model_header(small_model());
  const std::size_t values = 10 + 4 * 5 + 8 + 3 * 4 + 6 + 3 * 3 + 6 + 3;
  header["encoding"]["columns"][0]["fill"] = 1e30;
  EXPECT_NO_THROW(parse_model(file_with(header, values), "m"));
  header["encoding"]["columns"][0]["fill"] = 1e300;
  EXPECT_THAT(message_of([&] { parse_model(file_with(header, values), "m"); }), HasSubstr("finite"));
}

TEST(ModelFile, DivisorsArePositive) {
  for (const float divisor : {0.0F, -1.0F}) {
    ModelParts model = small_model();
    model.statistics.divisor[1][0] = divisor;
    EXPECT_THAT(message_of([&] { parse_model(model_bytes(model), "m"); }), HasSubstr("not positive"));
  }
}

}  // namespace
}  // namespace coppice
