#include "coppice/run/combinations.h"

#include "tests/support.h"

#include <functional>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using ::testing::HasSubstr;

std::string refusal(const std::function<void(RunOptions&)>& change) {
  RunOptions options;
  change(options);
  return test::message_of([&] { refuse_combinations(options); });
}

TEST(Combinations, TheDefaultsAndEveryParametricBaselineAreFine) {
  RunOptions options;
  EXPECT_NO_THROW(refuse_combinations(options));
  options.training.fixed_size = {20, 10};
  for (const OptimizerKind kind : {OptimizerKind::sgd, OptimizerKind::momentum, OptimizerKind::nesterov,
                                   OptimizerKind::rmsprop, OptimizerKind::adam}) {
    for (const Norm norm : {Norm::capnorm, Norm::batchnorm, Norm::batchnorm_affine, Norm::none}) {
      options.training.optimizer = kind;
      options.training.norm = norm;
      options.training.step = 0.1;
      EXPECT_NO_THROW(refuse_combinations(options));
    }
  }
}

TEST(Combinations, GradientsRescaledPerWeightDoNotGoWithShrinkage) {
  for (const OptimizerKind kind : {OptimizerKind::rmsprop, OptimizerKind::adam}) {
    const std::string text = refusal([&](RunOptions& o) { o.training.optimizer = kind; });
    EXPECT_THAT(text, HasSubstr("--optimizer " + name_of(kind)));
    EXPECT_THAT(text, HasSubstr("shrinkage"));
    EXPECT_THAT(text, HasSubstr("--fixed-size"));
  }
}

TEST(Combinations, BatchNormalisationDoesNotGoWithAPenaltyOnLengths) {
  for (const Norm norm : {Norm::batchnorm, Norm::batchnorm_affine}) {
    const std::string text = refusal([&](RunOptions& o) {
      o.training.norm = norm;
      o.training.optimizer = OptimizerKind::sgd;
    });
    EXPECT_THAT(text, HasSubstr("--norm " + name_of(norm)));
    EXPECT_THAT(text, HasSubstr("length"));
  }
}

TEST(Combinations, APenaltyOnANetOfFixedSizeNeedsAnOptimizerThatCanShrink) {
  RunOptions options;
  options.training.fixed_size = {5};
  options.lambdas = {1e-3};
  for (const OptimizerKind kind : {OptimizerKind::adarad, OptimizerKind::adarad_m, OptimizerKind::sgd,
                                   OptimizerKind::momentum, OptimizerKind::nesterov}) {
    options.training.optimizer = kind;
    for (const Norm norm : {Norm::capnorm, Norm::none}) {
      options.training.norm = norm;
      EXPECT_NO_THROW(refuse_combinations(options));
    }
  }
  options.training.regularizer.layer_factors = {1, 2};
  EXPECT_NO_THROW(refuse_combinations(options)) << "one factor for each of its two layers";
  for (const OptimizerKind kind : {OptimizerKind::rmsprop, OptimizerKind::adam}) {
    options.training.optimizer = kind;
    EXPECT_THAT(test::message_of([&] { refuse_combinations(options); }), HasSubstr("leave --lambda out"));
  }
  options.training.optimizer = OptimizerKind::sgd;
  options.training.norm = Norm::batchnorm;
  EXPECT_THAT(test::message_of([&] { refuse_combinations(options); }), HasSubstr("leave --lambda out"));
}

TEST(Combinations, AFixedSizeLeavesNothingToGrowthOrAWarmStart) {
  EXPECT_THAT(refusal([](RunOptions& o) {
                o.training.fixed_size = {5};
                o.training.optimizer = OptimizerKind::sgd;
                o.training.grow_epochs = 10;
              }),
              HasSubstr("--grow-epochs"));
  EXPECT_THAT(refusal([](RunOptions& o) {
                o.training.fixed_size = {5};
                o.training.optimizer = OptimizerKind::sgd;
                o.warm_start = "m.coppice";
              }),
              HasSubstr("--warm-start"));
  EXPECT_THAT(refusal([](RunOptions& o) { o.training.fixed_size = {5}; }), HasSubstr("--radial-step"));
  RunOptions turning;
  turning.training.fixed_size = {5};
  turning.training.radial_step = 10;
  EXPECT_NO_THROW(refuse_combinations(turning));
}

TEST(Combinations, AdaradShrinksFanInsAsWholesOnly) {
  for (const OptimizerKind kind : {OptimizerKind::adarad, OptimizerKind::adarad_m}) {
    EXPECT_THAT(refusal([&](RunOptions& o) {
                  o.training.optimizer = kind;
                  o.training.regularizer.fan = Fan::fan_out;
                }),
                HasSubstr("--regularizer fan-out: " + name_of(kind)));
    EXPECT_THAT(refusal([&](RunOptions& o) {
                  o.training.optimizer = kind;
                  o.training.regularizer.power = 1;
                }),
                HasSubstr("--penalty-power 1: " + name_of(kind)));
  }
  for (const OptimizerKind kind : {OptimizerKind::sgd, OptimizerKind::momentum, OptimizerKind::nesterov}) {
    for (const Fan fan : {Fan::fan_in, Fan::fan_out}) {
      for (const std::size_t power : {1U, 2U}) {
        RunOptions options;
        options.training.optimizer = kind;
        options.training.regularizer = {.fan = fan, .power = power, .layer_factors = {1, 2, 3}};
        EXPECT_NO_THROW(refuse_combinations(options));
      }
    }
  }
}

TEST(Combinations, EveryLayerNeedsItsFactorAndAPenaltyToApplyItTo) {
  EXPECT_THAT(
      refusal([](RunOptions& o) {
        o.training.regularizer.layer_factors = {1, 2};
      }),
      HasSubstr("--layer-lambdas: 2 hidden layers and the output layer need 3 factors, 2 were given"));
  const auto fixed = [](const Regularizer& regularizer) {
    return refusal([&](RunOptions& o) {
      o.training.fixed_size = {5, 5};
      o.training.optimizer = OptimizerKind::sgd;
      o.training.regularizer = regularizer;
    });
  };
  EXPECT_THAT(fixed({.fan = Fan::fan_in, .power = 2, .layer_factors = {1, 2, 3}}),
              HasSubstr("--layer-lambdas"));
  EXPECT_THAT(fixed({.fan = Fan::fan_out, .power = 2, .layer_factors = {}}), HasSubstr("--regularizer"));
  EXPECT_THAT(fixed({.fan = Fan::fan_in, .power = 1, .layer_factors = {}}), HasSubstr("--penalty-power"));
}

TEST(Combinations, EveryOptimizerHasItsOwnSteps) {
  EXPECT_THAT(refusal([](RunOptions& o) { o.training.step = 1; }), HasSubstr("--step"));
  EXPECT_THAT(refusal([](RunOptions& o) {
                o.training.optimizer = OptimizerKind::momentum;
                o.training.radial_step = 1;
              }),
              HasSubstr("--radial-step"));
  EXPECT_THAT(refusal([](RunOptions& o) {
                o.training.fixed_size = {5};
                o.training.radial_step = 1;
                o.training.norm = Norm::batchnorm_affine;
              }),
              HasSubstr("--norm batchnorm-affine"));
}

}  // namespace
}  // namespace coppice
