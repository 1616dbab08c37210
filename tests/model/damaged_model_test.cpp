#include "coppice/core/bytes.h"
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
