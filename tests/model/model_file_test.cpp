#include "coppice/core/bytes.h"
#include "coppice/core/file.h"
#include "coppice/model/header.h"

#include "tests/model/models.h"

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
  bytes[8] = 7;
  EXPECT_THAT(
      message_of([&] { parse_model(bytes, "m"); }),
      ::testing::AllOf(HasSubstr("version 7"), HasSubstr("up to 2"), HasSubstr("use a newer coppice")));
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
