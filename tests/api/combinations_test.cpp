#include "coppice/api/combinations.h"

#include "coppice/api/settings.h"

#include "tests/api/other_values.h"
#include "tests/support.h"

#include <functional>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using ::testing::HasSubstr;

std::string refusal(const std::function<void(Options&)>& change) {
  Options options;
  change(options);
  try {
    refuse_combinations(options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_option);
    EXPECT_THAT(error.what(), HasSubstr("`" + error.place().option + "`"));
    EXPECT_NE(find_setting(error.place().option), nullptr) << error.place().option;
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

TEST(Combinations, TheDefaultsAndEveryParametricBaselineAreFine) {
  Options options;
  EXPECT_NO_THROW(refuse_combinations(options));
  options.fixed_size = {20, 10};
  for (const OptimizerKind kind : {OptimizerKind::sgd, OptimizerKind::momentum, OptimizerKind::nesterov,
                                   OptimizerKind::rmsprop, OptimizerKind::adam}) {
    for (const Norm norm : {Norm::capnorm, Norm::batchnorm, Norm::batchnorm_affine, Norm::none}) {
      options.optimizer = kind;
      options.norm = norm;
      options.step = 0.1;
      EXPECT_NO_THROW(refuse_combinations(options));
    }
  }
}

TEST(Combinations, LayersGrowByAtMostTenThousandUnitsAnEpoch) {
  Options options;
  options.add_units = 10;
  options.additions_per_epoch = 1000;
  EXPECT_NO_THROW(refuse_combinations(options));
  EXPECT_THAT(refusal([](Options& o) {
                o.add_units = 10;
                o.additions_per_epoch = 1001;
              }),
              HasSubstr("10010 units an epoch"));
}

TEST(Combinations, ANetThatOthersTeachHasNoBudgetAndNoRowsOfItsOwnToValidateOn) {
  const auto with = [](void (*change)(Options&)) {
    return refusal([&](Options& o) {
      o.distil = Distil::on;
      change(o);
    });
  };
  EXPECT_THAT(with([](Options& o) { o.max_parameters = 100; }), HasSubstr("leave it or `distil` out"));
  EXPECT_THAT(with([](Options& o) { o.validation = 0.2; }), HasSubstr("leave it or `distil` out"));
  EXPECT_THAT(with([](Options& o) { o.seeds = 3; }), HasSubstr("leave it or `distil` out"));
  EXPECT_THAT(with([](Options& o) { o.time = "when"; }), HasSubstr("leave it or `distil` out"));
  EXPECT_THAT(with([](Options& o) { o.refit = Refit::on; }), HasSubstr("leave it or `distil` out"));
  Options options;
  options.distil = Distil::on;
  EXPECT_NO_THROW(refuse_combinations(options));
}

TEST(Combinations, GradientsRescaledPerWeightDoNotGoWithShrinkage) {
  for (const OptimizerKind kind : {OptimizerKind::rmsprop, OptimizerKind::adam}) {
    const std::string text = refusal([&](Options& o) { o.optimizer = kind; });
    EXPECT_THAT(text, HasSubstr("`optimizer` " + name_of(kind)));
    EXPECT_THAT(text, HasSubstr("shrinkage"));
    EXPECT_THAT(text, HasSubstr("`fixed-size`"));
  }
}

TEST(Combinations, BatchNormalisationDoesNotGoWithAPenaltyOnLengths) {
  for (const Norm norm : {Norm::batchnorm, Norm::batchnorm_affine}) {
    const std::string text = refusal([&](Options& o) {
      o.norm = norm;
      o.optimizer = OptimizerKind::sgd;
    });
    EXPECT_THAT(text, HasSubstr("`norm` " + name_of(norm)));
    EXPECT_THAT(text, HasSubstr("length"));
  }
}

TEST(Combinations, ANetOfFixedSizeMayHaveAPenaltyWithEveryOptimizer) {
  Options options;
  options.fixed_size = {5};
  options.lambdas = {1e-3};
  for (const OptimizerKind kind :
       {OptimizerKind::adarad, OptimizerKind::adarad_m, OptimizerKind::sgd, OptimizerKind::momentum,
        OptimizerKind::nesterov, OptimizerKind::rmsprop, OptimizerKind::adam}) {
    options.optimizer = kind;
    for (const Norm norm : {Norm::capnorm, Norm::none}) {
      options.norm = norm;
      EXPECT_NO_THROW(refuse_combinations(options));
    }
  }
  options.layer_lambdas = {1, 2};
  EXPECT_NO_THROW(refuse_combinations(options)) << "one factor for each of its two layers";
  options.optimizer = OptimizerKind::sgd;
  options.norm = Norm::batchnorm;
  EXPECT_THAT(test::message_of([&] { refuse_combinations(options); }), HasSubstr("leave `lambda` out"));
}

TEST(Combinations, AFixedSizeLeavesNothingToGrowthOrAWarmStart) {
  EXPECT_THAT(refusal([](Options& o) {
                o.fixed_size = {5};
                o.optimizer = OptimizerKind::sgd;
                o.grow_epochs = 10;
              }),
              HasSubstr("`grow-epochs`"));
  EXPECT_THAT(refusal([](Options& o) {
                o.fixed_size = {5};
                o.optimizer = OptimizerKind::sgd;
                o.warm_start = test::a_model();
              }),
              HasSubstr("`warm-start`"));
  for (const auto& [name, change] : std::vector<std::pair<std::string, void (*)(Options&)>>{
           {"start-units", [](Options& o) { o.start_units = 3; }},
           {"add-units", [](Options& o) { o.add_units = 3; }},
           {"additions-per-epoch", [](Options& o) { o.additions_per_epoch = 3; }},
           {"hidden-layers", [](Options& o) { o.hidden_layers = 3; }}}) {
    EXPECT_THAT(refusal([&, set = change](Options& o) {
                  o.fixed_size = {5};
                  o.optimizer = OptimizerKind::sgd;
                  set(o);
                }),
                HasSubstr("`" + name + "`"));
  }
  EXPECT_THAT(refusal([](Options& o) { o.fixed_size = {5}; }), HasSubstr("`radial-step`"));
  Options turning;
  turning.fixed_size = {5};
  turning.radial_step = 10;
  EXPECT_NO_THROW(refuse_combinations(turning));
}

TEST(Combinations, AdaradShrinksFanInsAsWholesOnly) {
  for (const OptimizerKind kind : {OptimizerKind::adarad, OptimizerKind::adarad_m}) {
    EXPECT_THAT(refusal([&](Options& o) {
                  o.optimizer = kind;
                  o.regularizer = Fan::fan_out;
                }),
                HasSubstr("`regularizer` fan-out: " + name_of(kind)));
    EXPECT_THAT(refusal([&](Options& o) {
                  o.optimizer = kind;
                  o.penalty_power = 1;
                }),
                HasSubstr("`penalty-power` 1: " + name_of(kind)));
  }
  for (const OptimizerKind kind : {OptimizerKind::sgd, OptimizerKind::momentum, OptimizerKind::nesterov}) {
    for (const Fan fan : {Fan::fan_in, Fan::fan_out}) {
      for (const std::size_t power : {1U, 2U}) {
        Options options;
        options.optimizer = kind;
        options.regularizer = fan;
        options.penalty_power = power;
        options.layer_lambdas = {1, 2, 3};
        EXPECT_NO_THROW(refuse_combinations(options));
      }
    }
  }
}

TEST(Combinations, EveryLayerNeedsItsFactorAndAPenaltyToApplyItTo) {
  EXPECT_THAT(
      refusal([](Options& o) {
        o.layer_lambdas = {1, 2};
      }),
      HasSubstr("`layer-lambdas`: 2 hidden layers and the output layer need 3 factors, 2 were given"));
  const auto fixed = [](const std::function<void(Options&)>& change) {
    return refusal([&](Options& o) {
      o.fixed_size = {5, 5};
      o.optimizer = OptimizerKind::sgd;
      change(o);
    });
  };
  EXPECT_THAT(fixed([](Options& o) { o.layer_lambdas = {1, 2, 3}; }), HasSubstr("`layer-lambdas`"));
  EXPECT_THAT(fixed([](Options& o) { o.regularizer = Fan::fan_out; }), HasSubstr("`regularizer`"));
  EXPECT_THAT(fixed([](Options& o) { o.penalty_power = 1; }), HasSubstr("`penalty-power`"));
  EXPECT_THAT(fixed([](Options& o) { o.path = 3; }), HasSubstr("`path`"));
  EXPECT_THAT(fixed([](Options& o) { o.unit_lifetime = 3; }), HasSubstr("`unit-lifetime`"));
  EXPECT_THAT(fixed([](Options& o) { o.settle_epochs = 3; }), HasSubstr("`settle-epochs`"));
}

TEST(Combinations, EveryOptimizerHasItsOwnSteps) {
  EXPECT_THAT(refusal([](Options& o) { o.step = 1; }), HasSubstr("`step`"));
  EXPECT_THAT(refusal([](Options& o) {
                o.lambdas = {1};
                o.path = 3;
              }),
              HasSubstr("`path`"));
  for (const OptimizerKind kind : {OptimizerKind::sgd, OptimizerKind::momentum, OptimizerKind::nesterov}) {
    EXPECT_THAT(refusal([&](Options& o) {
                  o.optimizer = kind;
                  o.angle = 0.1;
                }),
                HasSubstr("`angle`: " + name_of(kind)));
    EXPECT_THAT(refusal([&](Options& o) {
                  o.optimizer = kind;
                  o.angular_step = 3;
                }),
                HasSubstr("`angular-step`: " + name_of(kind)));
    EXPECT_THAT(refusal([&](Options& o) {
                  o.optimizer = kind;
                  o.trust_region = 2;
                }),
                HasSubstr("`trust-region`: " + name_of(kind)));
    EXPECT_THAT(refusal([&](Options& o) {
                  o.optimizer = kind;
                  o.relative_epsilon = 0.1;
                }),
                HasSubstr("`relative-epsilon`: " + name_of(kind)));
  }
  EXPECT_THAT(refusal([](Options& o) { o.trust_region = 0.5; }), HasSubstr("must be above 1"));
  EXPECT_THAT(refusal([](Options& o) {
                o.optimizer = OptimizerKind::momentum;
                o.radial_step = 1;
              }),
              HasSubstr("`radial-step`"));
  EXPECT_THAT(refusal([](Options& o) {
                o.fixed_size = {5};
                o.radial_step = 1;
                o.norm = Norm::batchnorm_affine;
              }),
              HasSubstr("`norm` batchnorm-affine"));
}

TEST(Combinations, KinksNeedCapNormAndAnActivationThatBends) {
  Options options;
  options.kinks = 1;
  EXPECT_NO_THROW(refuse_combinations(options));
  options.kinks = 0;
  options.norm = Norm::none;
  EXPECT_NO_THROW(refuse_combinations(options));
  for (const Norm norm : {Norm::none, Norm::batchnorm, Norm::batchnorm_affine}) {
    EXPECT_THAT(refusal([&](Options& o) {
                  o.kinks = 1;
                  o.norm = norm;
                  o.fixed_size = {5};
                  o.optimizer = OptimizerKind::momentum;
                }),
                HasSubstr("`kinks` 1: counts deviations that CapNorm measures"));
  }
  EXPECT_THAT(refusal([](Options& o) {
                o.kinks = 0.5;
                o.activation = Activation::identity;
              }),
              HasSubstr("`kinks` 0.5: `activation` identity has no kink"));
  EXPECT_THAT(refusal([](Options& o) {
                o.kinks = 0.5;
                o.rows_over_ranks = true;
              }),
              HasSubstr("`kinks`: shared rows"));
}

TEST(Combinations, WhatLearnsBesideFanInsNeedsAnAngleAndSomethingToMove) {
  Options options;
  options.kinks = 0.1;
  options.kink_step = 0.3;
  options.output_scale_step = 1;
  options.capnorm_rows = 500;
  options.radial_rule = RadialRule::exponential;
  EXPECT_NO_THROW(refuse_combinations(options));
  EXPECT_THAT(refusal([](Options& o) { o.kink_step = 0.3; }),
              HasSubstr("`kink-step` 0.3: moves the offsets that `kinks` gives"));
  EXPECT_THAT(refusal([](Options& o) {
                o.capnorm_rows = 500;
                o.norm = Norm::none;
              }),
              HasSubstr("`capnorm-rows` 500: `norm` none remembers none"));
  const auto with = [](Options& o, const std::string& name) {
    if (name == "kink-step") o.kinks = o.kink_step = 0.3;
    if (name == "output-scale-step") o.output_scale_step = 1;
    if (name == "capnorm-rows") o.capnorm_rows = 500;
    if (name == "radial-rule") o.radial_rule = RadialRule::exponential;
  };
  for (const std::string name : {"kink-step", "output-scale-step", "capnorm-rows", "radial-rule"}) {
    EXPECT_THAT(refusal([&](Options& o) {
                  with(o, name);
                  o.optimizer = OptimizerKind::sgd;
                }),
                HasSubstr(fmt::format("`{}`: sgd does not turn", name)));
  }
  for (const std::string name : {"output-scale-step", "capnorm-rows"}) {
    EXPECT_THAT(refusal([&](Options& o) {
                  with(o, name);
                  o.rows_over_ranks = true;
                }),
                HasSubstr(fmt::format("`{}`: ", name)));
  }
}

TEST(Combinations, APeakIsForgottenOnlyWhereItIsAskedFor) {
  Options options;
  options.peak_half_life = 3;
  options.relative_shrinkage = true;
  EXPECT_NO_THROW(refuse_combinations(options));
  EXPECT_THAT(refusal([](Options& o) {
                o.peak_half_life = 3;
                o.angle = 0.1;
              }),
              HasSubstr("`peak-half-life` 3: `angle`"));
  for (const char* name : {"peak-half-life", "relative-shrinkage"}) {
    EXPECT_THAT(refusal([&](Options& o) {
                  o.optimizer = OptimizerKind::sgd;
                  o.peak_half_life = name[0] == 'p' ? 3 : 0;
                  o.relative_shrinkage = name[0] == 'r';
                }),
                HasSubstr(fmt::format("`{}`: sgd", name)));
  }
}

TEST(Combinations, ForNeedsABudgetOfBytes) {
  Options options;
  options.bytes_for = BytesFor::model;
  EXPECT_NO_THROW(refuse_combinations(options));
  options.bytes_for = BytesFor::c;
  EXPECT_THAT(test::message_of([&] { refuse_combinations(options); }),
              HasSubstr("`for` c says what `max-bytes` counts; give that too"));
  options.max_bytes = 1000;
  EXPECT_NO_THROW(refuse_combinations(options));
}

}  // namespace
}  // namespace coppice
