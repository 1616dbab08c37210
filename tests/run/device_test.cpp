#include "coppice/run/device.h"

#include "tests/support.h"

#include <functional>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(ChooseDevice, TheProcessorWhereAsked) {
  RunOptions options;
  options.device = Device::cpu;
  EXPECT_EQ(choose_device(options).device, Device::cpu);
  EXPECT_EQ(choose_device(options).text, "on the CPU");
}

TEST(ChooseDevice, AGpuIfThereIsOne) {
  RunOptions options;
  const GpuStatus gpu = gpu_status();
  const ChosenDevice chosen = choose_device(options);
  EXPECT_EQ(chosen.device, gpu.usable ? Device::cuda : Device::cpu);
  EXPECT_THAT(chosen.text, HasSubstr(gpu.text));
}

TEST(ChooseDevice, SaysWhyThereIsNone) {
  if (gpu_status().usable) GTEST_SKIP() << "there is a GPU";
  RunOptions options;
  options.device = Device::cuda;
  EXPECT_THAT(test::message_of([&] { choose_device(options); }), StartsWith("--device cuda: "));
}

TEST(ChooseDevice, TheGpuTrainsEverythingThatMayBeCombined) {
  const GpuStatus gpu{.usable = true, .text = "NVIDIA X"};
  const auto text = [&](const std::function<void(TrainingOptions&)>& change) {
    RunOptions options;
    change(options.training);
    return choose_device(options, gpu).text;
  };
  EXPECT_EQ(text([](TrainingOptions&) {}), "on NVIDIA X");
  EXPECT_EQ(text([](TrainingOptions& t) { t.optimizer = OptimizerKind::adarad_m; }), "on NVIDIA X");
  EXPECT_EQ(text([](TrainingOptions& t) {
              t.optimizer = OptimizerKind::sgd;
              t.regularizer = {.fan = Fan::fan_out, .power = 1, .layer_factors = {1, 1, 2}};
            }),
            "on NVIDIA X");
  EXPECT_EQ(text([](TrainingOptions& t) {
              t.norm = Norm::batchnorm_affine;
              t.optimizer = OptimizerKind::adam;
              t.fixed_size = {20, 10};
            }),
            "on NVIDIA X");
}

TEST(ChooseDevice, WhatTheGpuLacksIsLeftToTheProcessorOrRefused) {
  RunOptions options;
  const GpuStatus gpu{.usable = true, .text = "NVIDIA X"};
  options.training.norm = Norm::batchnorm_affine;  // of a net that grows
  EXPECT_EQ(choose_device(options, gpu).device, Device::cpu);
  EXPECT_THAT(choose_device(options, gpu).text,
              HasSubstr("(the GPU trains with --norm batchnorm-affine only"));
  options.device = Device::cuda;
  EXPECT_THAT(test::message_of([&] { choose_device(options, gpu); }),
              AllOf(StartsWith("--device cuda: "), HasSubstr("--fixed-size"), HasSubstr("--device cpu")));
}

TEST(ChooseDevice, ProcessorsLackTf32) {
  RunOptions options;
  options.device = Device::cpu;
  options.training.precision = Precision::tf32;
  EXPECT_THAT(test::message_of([&] { choose_device(options); }), StartsWith("--precision tf32: "));
}

TEST(ChoosePrecision, WhatTheUserSays) {
  RunOptions options;
  options.training.precision = Precision::bf16;
  EXPECT_EQ(choose_precision(options, Device::cuda, Format::csv), Precision::bf16);
  options.training.precision = Precision::fp32;
  EXPECT_EQ(choose_precision(options, Device::cpu, Format::idx), Precision::fp32);
}

TEST(ChoosePrecision, TablesKeepTheirDigitsAndImagesAreBytes) {
  const RunOptions options;
  EXPECT_EQ(choose_precision(options, Device::cuda, Format::csv), Precision::tf32);
  EXPECT_EQ(choose_precision(options, Device::cpu, Format::csv), Precision::fp32);
  EXPECT_EQ(choose_precision(options, Device::cpu, Format::idx),
            bf16_works() ? Precision::bf16 : Precision::fp32);
}

TEST(LeaveGpu, TheCpuTakesOverWhereTheDeviceWasLeftOpen) {
  RunOptions options;
  std::string said;
  const auto say = [&](const std::string& text) { said += text; };
  const auto too_large_for_gpu = [](bool again) {
    return again ? std::string("done") : throw GpuOutOfMemory("too large");
  };
  EXPECT_EQ(run_or_leave_gpu(options, say, [](bool again) { return again; }), false);
  EXPECT_EQ(said, "");
  EXPECT_EQ(run_or_leave_gpu(options, say, too_large_for_gpu), "done");
  EXPECT_EQ(said, "too large; the CPU takes over");
  options.device = Device::cuda;
  EXPECT_THROW(run_or_leave_gpu(options, say, too_large_for_gpu), GpuOutOfMemory);
}

}  // namespace
}  // namespace coppice
