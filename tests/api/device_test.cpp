#include "coppice/api/device.h"

#include "coppice/device/product.h"

#include "tests/support.h"

#include <functional>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(ChooseDevice, TheProcessorWhereAsked) {
  Options options;
  options.device = Device::cpu;
  EXPECT_EQ(choose_device(options).device, Device::cpu);
  EXPECT_EQ(choose_device(options).text, "on the CPU");
}

TEST(ChooseDevice, AGpuIfThereIsOne) {
  Options options;
  const GpuStatus gpu = gpu_status();
  const ChosenDevice chosen = choose_device(options);
  EXPECT_EQ(chosen.device, gpu.usable ? Device::cuda : Device::cpu);
  EXPECT_THAT(chosen.text, HasSubstr(gpu.text));
}

TEST(ChooseDevice, SaysWhyThereIsNone) {
  if (gpu_status().usable) GTEST_SKIP() << "there is a GPU";
  Options options;
  options.device = Device::cuda;
  try {
    choose_device(options);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), StartsWith("`device` cuda: "));
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    EXPECT_EQ(error.place().option, "device");
  }
}

TEST(ChooseDevice, TheGpuTrainsEverythingThatMayBeCombined) {
  const GpuStatus gpu{.usable = true, .text = "NVIDIA X"};
  const auto text = [&](const std::function<void(Options&)>& change) {
    Options options;
    change(options);
    return choose_device(options, gpu).text;
  };
  EXPECT_EQ(text([](Options&) {}), "on NVIDIA X");
  EXPECT_EQ(text([](Options& o) { o.optimizer = OptimizerKind::adarad_m; }), "on NVIDIA X");
  EXPECT_EQ(text([](Options& o) {
              o.optimizer = OptimizerKind::sgd;
              o.regularizer = Fan::fan_out;
              o.penalty_power = 1;
              o.layer_lambdas = {1, 1, 2};
            }),
            "on NVIDIA X");
  EXPECT_EQ(text([](Options& o) {
              o.norm = Norm::batchnorm_affine;
              o.optimizer = OptimizerKind::adam;
              o.fixed_size = {20, 10};
            }),
            "on NVIDIA X");
}

TEST(ChooseDevice, WhatTheGpuLacksIsLeftToTheProcessorOrRefused) {
  Options options;
  const GpuStatus gpu{.usable = true, .text = "NVIDIA X"};
  options.norm = Norm::batchnorm_affine;  // of a net that grows
  EXPECT_EQ(choose_device(options, gpu).device, Device::cpu);
  EXPECT_THAT(choose_device(options, gpu).text,
              HasSubstr("(the GPU trains with `norm` batchnorm-affine only"));
  options.device = Device::cuda;
  EXPECT_THAT(test::message_of([&] { choose_device(options, gpu); }),
              AllOf(StartsWith("`device` cuda: "), HasSubstr("`fixed-size`"), HasSubstr("`device` cpu")));
}

TEST(ChooseDevice, TheGpuLacksWhatLearnsBesideFanInsAndWhatIsRemembered) {
  const GpuStatus gpu{.usable = true, .text = "NVIDIA X"};
  for (const std::string name : {"kink-step", "output-scale-step", "capnorm-rows"}) {
    Options options;
    if (name == "kink-step") options.kink_step = 0.3;
    if (name == "output-scale-step") options.output_scale_step = 1;
    if (name == "capnorm-rows") options.capnorm_rows = 500;
    EXPECT_THAT(choose_device(options, gpu).text, HasSubstr("(the GPU has no `" + name + "`)"));
    options.device = Device::cuda;
    EXPECT_THAT(test::message_of([&] { choose_device(options, gpu); }),
                AllOf(StartsWith("`device` cuda: "), HasSubstr(name), HasSubstr("`device` cpu")));
  }
}

TEST(ChooseDevice, ProcessorsLackTf32) {
  Options options;
  options.device = Device::cpu;
  options.precision = Precision::tf32;
  EXPECT_THAT(test::message_of([&] { choose_device(options); }), StartsWith("`precision` tf32: "));
}

TEST(ChoosePrecision, WhatTheUserSays) {
  Options options;
  options.precision = Precision::bf16;
  EXPECT_EQ(choose_precision(options, Device::cuda, false), Precision::bf16);
  options.precision = Precision::fp32;
  EXPECT_EQ(choose_precision(options, Device::cpu, true), Precision::fp32);
}

TEST(ChoosePrecision, TablesKeepTheirDigitsAndImagesAreBytes) {
  const Options options;
  EXPECT_EQ(choose_precision(options, Device::cuda, false), Precision::tf32);
  EXPECT_EQ(choose_precision(options, Device::cpu, false), Precision::fp32);
  EXPECT_EQ(choose_precision(options, Device::cpu, true), bf16_works() ? Precision::bf16 : Precision::fp32);
}

}  // namespace
}  // namespace coppice
