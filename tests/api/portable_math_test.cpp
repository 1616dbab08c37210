#include "coppice/api/device.h"
#include "coppice/api/train.h"
#include "coppice/api/training.h"

#include "tests/api/tables.h"
#include "tests/device/portable_vectors.h"
#include "tests/support.h"

#include <gmock/gmock.h>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Options portable_options() {
  Options options = test::ring_options();
  options.max_epochs = 4;
  options.portable_math = true;
  return options;
}

/// The ring as numbers to be told: how far to the right.
Options number_options() {
  Options options = portable_options();
  options.target = std::string("x0");
  options.task = Task::regression;
  return options;
}

/// The bytes of all models of a training, with no more than these vectors.
std::vector<std::string> models(const Table& table, const Options& options, Vectors vectors) {
  const test::LimitedVectors limited(vectors);
  std::vector<std::string> bytes;
  for (const Model& model : train(table, options).models) bytes.push_back(model.bytes());
  return bytes;
}

void expect_same_everywhere(const Table& table, const Options& options) {
  const std::vector<std::string> expected = models(table, options, Vectors::plain);
  ASSERT_FALSE(expected.empty());
  for (const Vectors vectors : test::all_vectors())
    EXPECT_TRUE(models(table, options, vectors) == expected) << "vectors " << static_cast<int>(vectors);
  Options other_threads = options;
  other_threads.threads = 1;
  EXPECT_TRUE(models(table, other_threads, Vectors::avx512) == expected);
}

TEST(PortableMath, GivesTheSameModelsWhateverTheVectors) {
  const Table table = test::ring_table(300);
  for (Options options : {portable_options(), number_options()}) {
    expect_same_everywhere(table, options);
    options.ensemble = 1;
    options.precision = Precision::bf16;
    options.optimizer = OptimizerKind::adarad_m;
    expect_same_everywhere(table, options);
    options.precision = Precision::fp32;
    options.optimizer = OptimizerKind::adam;
    options.norm = Norm::batchnorm;
    options.activation = Activation::tanh;
    options.lambdas = {};
    options.fixed_size = {20, 10};
    expect_same_everywhere(table, options);
  }
}

TEST(PortableMath, LeavesOtherTrainingsAndTheCallerAlone) {
  Options options = portable_options();
  options.ensemble = 1;
  const Table table = test::ring_table(300);
  const std::vector<std::string> portable = models(table, options, Vectors::avx512);
  EXPECT_FALSE(computes_portably());
  options.portable_math = false;
  const std::vector<std::string> native = models(table, options, Vectors::avx512);
  EXPECT_TRUE(models(table, options, Vectors::plain) == native)
      << "the limit is for portable arithmetic alone";
  options.portable_math.reset();
  EXPECT_TRUE(models(table, options, Vectors::avx512) == native) << "off is the default";
}

TEST(PortableMath, PredictsTheSameBitsWhateverTheVectors) {
  const Table table = test::ring_table(300);
  const Model model = train(table, portable_options()).model();
  std::vector<double> expected;
  for (const Vectors vectors : test::all_vectors()) {
    const test::LimitedVectors limited(vectors);
    const std::vector<double> answers = model.predict(table, {.portable_math = true}).probabilities;
    if (expected.empty()) expected = answers;
    EXPECT_EQ(answers, expected);
  }
}

TEST(PortableMath, HasOneNameForItsKernelsAndOnePrecisionForImages) {
  Options options = portable_options();
  options.ensemble = 1;
  const Training training(test::ring_table(300), options);
  EXPECT_EQ(training.kernels(), "portable arithmetic, fp32");
  EXPECT_EQ(choose_precision(options, Device::cpu, true), Precision::bf16);
  EXPECT_EQ(choose_precision(options, Device::cpu, false), Precision::fp32);
}

TEST(PortableMath, IsNotForGpus) {
  Options options = portable_options();
  const GpuStatus gpu{.usable = true, .text = "NVIDIA H200"};
  EXPECT_EQ(choose_device(options, gpu).device, Device::cpu);
  options.device = Device::cuda;
  EXPECT_THAT(test::message_of([&] { choose_device(options, gpu); }),
              StartsWith("`portable-math` on: a GPU rounds in its own way; use `device` cpu"));
  const Model model = train(test::ring_table(300), portable_options()).model();
  EXPECT_THAT(test::message_of([&] {
                model.predict(test::ring_table(300), {.device = Device::cuda, .portable_math = true});
              }),
              HasSubstr("a GPU rounds in its own way"));
}

}  // namespace
}  // namespace coppice
