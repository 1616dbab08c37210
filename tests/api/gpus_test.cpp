// Nets that several GPUs share are those of one. A GPU that is named twice stands for two.
#include "coppice/api/train.h"

#include "tests/api/tables.h"
#include "tests/gpu.h"

#include <string>
#include <vector>

namespace coppice {
namespace {

using Gpus = test::OnGpu;

std::vector<std::string> models_on(const std::vector<std::size_t>& gpus) {
  Options options = test::ring_options();
  options.device = Device::cuda;
  options.gpus = gpus;
  options.lambdas = {1e-2, 1e-3, 1e-4};
  options.seeds = 3;
  options.ensemble = 1;
  const Result result = train(test::ring_table(2000), options);
  EXPECT_EQ(result.device, Device::cuda);
  std::vector<std::string> models;
  for (const Model& model : result.models) models.push_back(model.bytes());
  return models;
}

TEST_F(Gpus, ShareNetsWithoutChangingThem) {
  const std::vector<std::string> one = models_on({});
  EXPECT_EQ(one.size(), 9U);
  EXPECT_TRUE(models_on({0}) == one);
  EXPECT_TRUE(models_on({0, 0}) == one);
  EXPECT_TRUE(models_on({0, 0, 0, 0}) == one);
}

TEST_F(Gpus, OneThatIsNotThereIsNamed) {
  Options options = test::ring_options();
  options.device = Device::cuda;
  options.gpus = {0, 1000};
  try {
    train(test::ring_table(200), options);
    ADD_FAILURE() << "it was not refused";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("there is no GPU 1000"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace coppice
