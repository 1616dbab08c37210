#include "coppice/model/model_json.h"

#include "coppice/model/parts.h"

#include "tests/model/models.h"

#include <gmock/gmock.h>

namespace coppice {
namespace {

using namespace coppice::test;
using Json = nlohmann::ordered_json;

TEST(ModelJson, WithoutWeightsTellsShapesOnly) {
  const Model model(small_model({4, 3}));
  const Json json = model_json(model, false);
  EXPECT_EQ(json["hidden_units"], (Json{4, 3}));
  EXPECT_EQ(json["parameters"], model.parameters());
  EXPECT_EQ(json["inputs"].size(), 5U);
  EXPECT_EQ(json["layers"][1], (Json{{"units", 3}, {"inputs", 4}}));
  EXPECT_EQ(json["temperature"], 0.625);
  for (const char* key : {"input_offset", "input_factor", "class_offset", "offset"}) {
    EXPECT_FALSE(json.contains(key)) << key;
  }
}

TEST(ModelJson, WithWeightsHoldsEveryNumber) {
  ModelParts parts = small_model({4, 3});
  make_affine(parts);
  const Json json = model_json(Model(parts), true);
  EXPECT_EQ(json["input_offset"].get<std::vector<float>>(), parts.encoding.offset);
  EXPECT_EQ(json["input_factor"].get<std::vector<float>>(), parts.encoding.factor);
  EXPECT_EQ(json["class_offset"].get<std::vector<float>>(), parts.network.offset);
  EXPECT_FALSE(json.contains("offset")) << "of what?";
  for (std::size_t l = 0; l < 3; ++l) {
    const Json& layer = json["layers"][l];
    const Matrix<float>& weights = parts.network.layers[l].weights;
    ASSERT_EQ(layer["fan_in"].size(), weights.rows());
    for (std::size_t j = 0; j < weights.rows(); ++j) {
      const auto row = layer["fan_in"][j].get<std::vector<float>>();
      EXPECT_TRUE(std::ranges::equal(row, weights.row(j)));
    }
    EXPECT_EQ(layer["mean"].get<std::vector<float>>(), parts.statistics.mean[l]);
    EXPECT_EQ(layer["divisor"].get<std::vector<float>>(), parts.statistics.divisor[l]);
    EXPECT_EQ(layer.contains("scale"), l < 2);
  }
  EXPECT_EQ(json["layers"][1]["scale"][2].get<float>(), parts.network.layers[1].affine(2, 0));
  EXPECT_EQ(json["layers"][1]["shift"][2].get<float>(), parts.network.layers[1].affine(2, 1));
}

TEST(ModelJson, TellsTheOtherNetsOfAnEnsemble) {
  ModelParts parts = small_model({4, 3});
  const ModelParts other = small_model({2, 3});
  parts.others.push_back({other.network, other.statistics, false});
  const Json json = model_json(Model(parts), true);
  EXPECT_EQ(json["nets"], 2);
  ASSERT_EQ(json["others"].size(), 1U);
  EXPECT_EQ(json["others"][0]["hidden_units"], (Json{2, 3}));
  ASSERT_EQ(json["others"][0]["layers"].size(), 3U);
  for (std::size_t l = 0; l < 3; ++l) {
    const Json& layer = json["others"][0]["layers"][l];
    EXPECT_EQ(layer["inputs"], other.network.layers[l].weights.cols());
    EXPECT_EQ(layer["mean"].get<std::vector<float>>(), other.statistics.mean[l]);
  }
  EXPECT_EQ(json["others"][0]["class_offset"].get<std::vector<float>>(), other.network.offset);
}

TEST(ModelJson, OfNumbersHasNoOffsetOfClasses) {
  ModelParts parts = small_model();
  parts.network.offset.clear();
  EXPECT_FALSE(model_json(Model(parts), true).contains("class_offset"));
}

}  // namespace
}  // namespace coppice
