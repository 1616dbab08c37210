#include "coppice/training/protocol.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace coppice {
namespace {

enum class Consequence { nothing, keep, rewind };

Consequence after(Protocol& protocol, double error, bool eliminated = false) {
  const Verdict verdict = protocol.advance(error, eliminated);
  EXPECT_FALSE(verdict.keep && verdict.rewind);
  return verdict.keep ? Consequence::keep : verdict.rewind ? Consequence::rewind : Consequence::nothing;
}

/// Feeds the same error until the phase ends; returns how many epochs that took.
int wait(Protocol& protocol, double error) {
  for (int epochs = 1; epochs < 1000; ++epochs) {
    const Consequence outcome = after(protocol, error);
    if (outcome == Consequence::rewind) return epochs;
    EXPECT_EQ(outcome, Consequence::nothing);
  }
  ADD_FAILURE() << "the phase never ends";
  return 0;
}

Protocol protocol_in(Phase phase, const ProtocolOptions& options, double lowest) {
  Protocol protocol(options, 30);
  after(protocol, lowest);
  while (protocol.phase() != phase) wait(protocol, 1);
  return protocol;
}

TEST(Protocol, SettleEndsAtItsLimitAndKeepsWhatItCameTo) {
  Protocol protocol =
      protocol_in(Phase::settle, {.patience = 3, .fine_patience = 2, .settle_epochs = 5}, 0.3);
  for (int epoch = 1; epoch < 5; ++epoch) {
    EXPECT_EQ(after(protocol, 0.6 - 0.01 * epoch, true), Consequence::keep);
    EXPECT_EQ(protocol.phase(), Phase::settle);
  }
  EXPECT_EQ(after(protocol, 0.5, false), Consequence::keep);
  EXPECT_EQ(protocol.phase(), Phase::polish);
  EXPECT_EQ(protocol.lowest_error(), 0.5);  // of the net as it is, not of the larger one before
  EXPECT_EQ(wait(protocol, 0.5), 3);
}

const ProtocolOptions quick_protocol{.patience = 3, .fine_patience = 2, .tolerance = 0};

TEST(Protocol, GoesThroughAllPhases) {
  Protocol protocol(quick_protocol, 30);
  EXPECT_EQ(protocol.phase(), Phase::grow);
  EXPECT_TRUE(protocol.running() && protocol.adds_units() && protocol.shrinks());
  EXPECT_EQ(after(protocol, 0.5), Consequence::keep);
  EXPECT_EQ(after(protocol, 0.4), Consequence::keep);
  EXPECT_EQ(after(protocol, 0.45), Consequence::nothing);
  EXPECT_EQ(after(protocol, 0.4), Consequence::nothing);  // equal is not lower
  EXPECT_EQ(after(protocol, 0.41), Consequence::rewind);
  EXPECT_EQ(protocol.phase(), Phase::settle);
  EXPECT_TRUE(protocol.running() && !protocol.adds_units() && protocol.shrinks());
  EXPECT_EQ(wait(protocol, 0.42), 3);
  EXPECT_EQ(protocol.phase(), Phase::polish);
  EXPECT_TRUE(protocol.running() && !protocol.adds_units() && !protocol.shrinks());
  EXPECT_EQ(protocol.step(), 30);
  EXPECT_EQ(wait(protocol, 0.43), 3);
  EXPECT_EQ(protocol.phase(), Phase::anneal);
  EXPECT_DOUBLE_EQ(protocol.step(), 10);
  EXPECT_EQ(wait(protocol, 0.44), 2);  // changed the error: once more
  EXPECT_EQ(protocol.phase(), Phase::anneal);
  EXPECT_DOUBLE_EQ(protocol.step(), 10.0 / 3);
  EXPECT_EQ(wait(protocol, 0.4), 2);  // the error of the kept state: nothing changes any more
  EXPECT_EQ(protocol.phase(), Phase::done);
  EXPECT_FALSE(protocol.running());
  EXPECT_DOUBLE_EQ(protocol.lowest_error(), 0.4);
}

TEST(Protocol, AGrowPhaseOfFixedLengthEndsInItsLastEpochWithoutARewind) {
  Protocol protocol({.patience = 2, .fine_patience = 2, .grow_epochs = 6}, 30);
  EXPECT_EQ(protocol.patience(), 6);
  EXPECT_EQ(after(protocol, 0.5), Consequence::keep);
  for (int epoch = 2; epoch <= 4; ++epoch) EXPECT_EQ(after(protocol, 0.6), Consequence::nothing);
  EXPECT_EQ(protocol.phase(), Phase::grow) << "patience would have ended it";
  EXPECT_EQ(protocol.waited(), 4);
  EXPECT_EQ(after(protocol, 0.4), Consequence::keep);
  Protocol resumed({.patience = 2, .fine_patience = 2, .grow_epochs = 6}, 30);
  resumed.restore(protocol.state());
  for (Protocol* one : {&protocol, &resumed}) {
    EXPECT_EQ(after(*one, 0.7), Consequence::keep) << "settle begins with what there is";
    EXPECT_EQ(one->phase(), Phase::settle);
    EXPECT_EQ(one->patience(), 2);
    EXPECT_EQ(one->lowest_error(), 0.4);
    EXPECT_EQ(wait(*one, 0.6), 2);
    EXPECT_EQ(one->phase(), Phase::polish);
    EXPECT_EQ(one->lowest_error(), 0.7) << "of the state that the rewind led to";
  }
}

TEST(Protocol, AnImprovementRestartsTheCountInEveryPhase) {
  for (const Phase phase : {Phase::grow, Phase::settle, Phase::polish, Phase::anneal}) {
    Protocol protocol = protocol_in(phase, quick_protocol, 0.5);
    const double patience = phase == Phase::anneal ? 2 : 3;
    EXPECT_EQ(protocol.patience(), patience);
    for (int i = 1; i < patience; ++i) EXPECT_EQ(after(protocol, 0.6), Consequence::nothing);
    EXPECT_EQ(protocol.waited(), patience - 1);
    EXPECT_EQ(after(protocol, 0.49), Consequence::keep);
    EXPECT_EQ(protocol.waited(), 0);
    EXPECT_EQ(protocol.phase(), phase);
    EXPECT_EQ(wait(protocol, 0.6), patience);
    EXPECT_NE(protocol.phase() == Phase::anneal, phase == Phase::grow || phase == Phase::settle);
  }
}

TEST(Protocol, AnEliminationInSettleRestartsTheCountAndIsKeptEvenIfWorse) {
  Protocol protocol = protocol_in(Phase::settle, quick_protocol, 0.3);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(after(protocol, 0.5), Consequence::nothing);
    EXPECT_EQ(after(protocol, 0.5), Consequence::nothing);
    EXPECT_EQ(after(protocol, 0.9, true), Consequence::keep);
  }
  EXPECT_DOUBLE_EQ(protocol.lowest_error(), 0.3);
  EXPECT_EQ(wait(protocol, 0.8), 3);
  EXPECT_EQ(protocol.phase(), Phase::polish);
}

TEST(Protocol, SettleWaitsAtLeastAsLongAsAUselessUnitLives) {
  ProtocolOptions options = quick_protocol;
  options.unit_lifetime = 7;
  Protocol protocol(options, 30);
  EXPECT_EQ(after(protocol, 0.3), Consequence::keep);
  EXPECT_EQ(wait(protocol, 0.5), options.patience) << "grow does not";
  EXPECT_EQ(protocol.phase(), Phase::settle);
  EXPECT_EQ(protocol.patience(), 7);
  EXPECT_EQ(wait(protocol, 0.5), 7);
  EXPECT_EQ(protocol.phase(), Phase::polish);
  EXPECT_EQ(wait(protocol, 0.5), options.patience);
}

TEST(Protocol, AnEliminationElsewhereDoesNotCount) {
  for (const Phase phase : {Phase::grow, Phase::polish, Phase::anneal}) {
    Protocol protocol = protocol_in(phase, quick_protocol, 0.3);
    EXPECT_EQ(after(protocol, 0.5, true), Consequence::nothing);
    EXPECT_EQ(protocol.waited(), 1);
  }
}

TEST(Protocol, ImprovedComparesWithTheLowestOfTheRunNotWithTheKeptState) {
  Protocol protocol = protocol_in(Phase::settle, quick_protocol, 0.3);
  EXPECT_EQ(after(protocol, 0.9, true), Consequence::keep);
  EXPECT_EQ(after(protocol, 0.4), Consequence::nothing);  // better than the kept 0.9, not than 0.3
  EXPECT_EQ(after(protocol, 0.31), Consequence::nothing);
  EXPECT_EQ(after(protocol, 0.29), Consequence::keep);
}

TEST(Protocol, AfterSettleImprovedComparesWithThePrunedNet) {
  Protocol protocol = protocol_in(Phase::settle, quick_protocol, 0.3);
  EXPECT_EQ(after(protocol, 0.9, true), Consequence::keep);
  wait(protocol, 0.95);
  ASSERT_EQ(protocol.phase(), Phase::polish);
  EXPECT_EQ(after(protocol, 0.91), Consequence::nothing);
  EXPECT_EQ(after(protocol, 0.5), Consequence::keep);  // above the run's 0.3, which was a larger net's
  EXPECT_EQ(after(protocol, 0.6), Consequence::nothing);
  EXPECT_DOUBLE_EQ(protocol.lowest_error(), 0.5);
}

TEST(Protocol, AnnealComparesWithTheErrorOfTheKeptState) {
  Protocol protocol = protocol_in(Phase::settle, quick_protocol, 0.3);
  EXPECT_EQ(after(protocol, 0.5, true), Consequence::keep);
  wait(protocol, 0.6);
  wait(protocol, 0.6);
  ASSERT_EQ(protocol.phase(), Phase::anneal);
  wait(protocol, 0.6);  // not the kept 0.5: the step still changes something
  ASSERT_EQ(protocol.phase(), Phase::anneal);
  wait(protocol, 0.5);
  EXPECT_EQ(protocol.phase(), Phase::done);
}

TEST(Protocol, AnnealGoesOnIfOneEpochOfTheRoundDiffered) {
  Protocol protocol = protocol_in(Phase::anneal, quick_protocol, 0.3);
  EXPECT_EQ(after(protocol, 0.31), Consequence::nothing);
  EXPECT_EQ(after(protocol, 0.3), Consequence::rewind);
  EXPECT_EQ(protocol.phase(), Phase::anneal);
  EXPECT_EQ(after(protocol, 0.3), Consequence::nothing);
  EXPECT_EQ(after(protocol, 0.3), Consequence::rewind);
  EXPECT_EQ(protocol.phase(), Phase::done);
}

TEST(Protocol, AnImprovementInAnnealMeansAnotherRound) {
  Protocol protocol = protocol_in(Phase::anneal, quick_protocol, 0.3);
  EXPECT_EQ(after(protocol, 0.2), Consequence::keep);
  wait(protocol, 0.2);
  EXPECT_EQ(protocol.phase(), Phase::anneal);
  wait(protocol, 0.2);
  EXPECT_EQ(protocol.phase(), Phase::done);
}

TEST(Protocol, AnErrorThatNeverStopsFlickeringEndsToo) {
  Protocol protocol = protocol_in(Phase::anneal, quick_protocol, 0.1);
  int epochs = 0;
  while (protocol.running() && epochs < 1000) after(protocol, ++epochs % 2 == 0 ? 0.2 : 0.3);
  EXPECT_EQ(protocol.phase(), Phase::done);
}

TEST(Protocol, FinePatienceBelowOneValidatesWithinAnEpoch) {
  const ProtocolOptions options{.patience = 3, .fine_patience = 0.5, .tolerance = 0};
  for (const Phase phase : {Phase::grow, Phase::settle, Phase::polish}) {
    EXPECT_EQ(protocol_in(phase, options, 0.3).epoch_share(), 1);
  }
  Protocol protocol = protocol_in(Phase::anneal, options, 0.3);
  EXPECT_EQ(protocol.epoch_share(), 0.5);
  EXPECT_EQ(after(protocol, 0.4), Consequence::rewind);
  EXPECT_EQ(protocol.phase(), Phase::anneal);
  EXPECT_EQ(after(protocol, 0.3), Consequence::rewind);
  EXPECT_EQ(protocol.phase(), Phase::done);
}

TEST(Protocol, FinePatienceAboveOneTakesWholeEpochs) {
  Protocol protocol = protocol_in(Phase::anneal, {.patience = 3, .fine_patience = 1.5, .tolerance = 0}, 0.3);
  EXPECT_EQ(protocol.epoch_share(), 1);
  EXPECT_EQ(wait(protocol, 0.4), 2);
}

TEST(Protocol, RegressionIgnoresChangesInTheLastDigits) {
  const ProtocolOptions options{.patience = 3, .fine_patience = 2, .tolerance = 1e-3};
  Protocol protocol(options, 30);
  EXPECT_EQ(after(protocol, 1.0), Consequence::keep);
  EXPECT_EQ(after(protocol, 0.9995), Consequence::nothing);
  EXPECT_EQ(after(protocol, 0.9985), Consequence::keep);  // small steps add up to one that counts
  EXPECT_DOUBLE_EQ(protocol.lowest_error(), 0.9985);
  while (protocol.phase() != Phase::anneal) wait(protocol, 2);
  wait(protocol, 0.9990);
  EXPECT_EQ(protocol.phase(), Phase::done);
}

TEST(Protocol, AnErrorOfZeroCannotBeImproved) {
  for (const double tolerance : {0.0, 1e-4}) {
    Protocol protocol({.patience = 2, .fine_patience = 1, .tolerance = tolerance}, 30);
    EXPECT_EQ(after(protocol, 0), Consequence::keep);
    int epochs = 0;
    while (protocol.running() && epochs < 100) {
      EXPECT_NE(after(protocol, 0), Consequence::keep);
      ++epochs;
    }
    EXPECT_EQ(epochs, 2 + 2 + 2 + 1);
  }
}

TEST(Protocol, ARestoredProtocolGoesOnTheSame) {
  EXPECT_TRUE(rc::check("state holds everything", [] {
    Protocol whole(quick_protocol, 30);
    Protocol parts(quick_protocol, 30);
    for (int epoch = 0; epoch < 120 && whole.running(); ++epoch) {
      const double error = 0.1 * *rc::gen::inRange(1, 6);
      const bool eliminated = *rc::gen::inRange(0, 5) == 0;
      Protocol next(quick_protocol, 30);
      next.restore(parts.state());
      parts = next;
      RC_ASSERT(after(whole, error, eliminated) == after(parts, error, eliminated));
      RC_ASSERT(whole.phase() == parts.phase());
      RC_ASSERT(whole.step() == parts.step());
      RC_ASSERT(whole.waited() == parts.waited());
    }
  }));
}

TEST(Protocol, PhasesNeverGoBackAndTheStepOnlyShrinks) {
  EXPECT_TRUE(rc::check("monotone", [] {
    Protocol protocol(quick_protocol, 30);
    double lowest = std::numeric_limits<double>::infinity();
    double kept = lowest;
    for (int epoch = 0; epoch < 200 && protocol.running(); ++epoch) {
      const Phase phase = protocol.phase();
      const double step = protocol.step();
      const double error = 0.05 * *rc::gen::inRange(0, 20);
      const Verdict verdict = protocol.advance(error, *rc::gen::arbitrary<bool>());
      RC_ASSERT(protocol.phase() >= phase);
      RC_ASSERT(protocol.step() <= step);
      RC_ASSERT(protocol.phase() == phase || verdict.rewind);
      RC_ASSERT(verdict.keep || error >= lowest);
      lowest = std::min(lowest, error);
      if (verdict.keep) kept = error;
      if (phase == Phase::settle && protocol.phase() == Phase::polish) lowest = kept;
      RC_ASSERT(protocol.lowest_error() == lowest);
    }
  }));
}

TEST(Protocol, FailedIsNotRunning) {
  Protocol protocol(quick_protocol, 30);
  protocol.set_failed();
  EXPECT_FALSE(protocol.running());
  EXPECT_EQ(phase_name(protocol.phase()), "failed");
  EXPECT_EQ(phase_name(Phase::anneal), "anneal");
}

TEST(Protocol, TheFewestEpochsToGoAreThoseThatBringNothing) {
  for (const ProtocolOptions& options :
       {quick_protocol, ProtocolOptions{.patience = 4, .fine_patience = 1, .unit_lifetime = 8},
        ProtocolOptions{.patience = 4, .fine_patience = 1, .unit_lifetime = 8, .settle_epochs = 5},
        ProtocolOptions{.patience = 4, .fine_patience = 0.5, .grow_epochs = 9}}) {
    Protocol protocol(options, 30);
    after(protocol, 0.5);
    double to_go = protocol.epochs_to_go();
    while (protocol.running()) {
      const double share = protocol.epoch_share();
      after(protocol, 0.5);
      EXPECT_DOUBLE_EQ(protocol.epochs_to_go(), to_go - share);
      to_go = protocol.epochs_to_go();
    }
    EXPECT_EQ(to_go, 0);
  }
}

TEST(Protocol, NothingEndsBeforeTheFewestEpochsToGo) {
  const bool holds = rc::check([] {
    ProtocolOptions options{.patience = static_cast<double>(*rc::gen::inRange(1, 6)),
                            .fine_patience = static_cast<double>(*rc::gen::inRange(1, 9)) / 4,
                            .unit_lifetime = static_cast<double>(*rc::gen::inRange(0, 9))};
    options.grow_epochs = *rc::gen::inRange<std::size_t>(0, 5);
    if (*rc::gen::arbitrary<bool>()) options.settle_epochs = *rc::gen::inRange(1, 9);
    Protocol protocol(options, 30);
    std::vector<double> ends;  // epochs in all, as told after each
    double passed = 0;
    while (protocol.running()) {
      passed += protocol.epoch_share();
      after(protocol, *rc::gen::inRange(1, 50), *rc::gen::arbitrary<bool>());
      ends.push_back(passed + protocol.epochs_to_go());
    }
    for (const double end : ends) RC_ASSERT(end <= passed + 1e-9);
  });
  EXPECT_TRUE(holds);
}

/// Epochs of grow with these errors, again and again, until the phase ends.
Protocol grown(const std::vector<double>& errors, const ProtocolOptions& options) {
  Protocol protocol(options, 9);
  for (std::size_t i = 0; i < 1000 && protocol.phase() == Phase::grow; ++i)
    protocol.advance(errors[i % errors.size()], false);
  return protocol;
}

TEST(Softening, GrowGoesOnWithSmallerStepsWhereEpochsAreNoBetterThanTheBaseRate) {
  ProtocolOptions options{.patience = 10, .base_criterion = 0.5, .softenings = 2};
  const Protocol weak = grown({0.48, 0.6, 0.6, 0.6, 0.6}, options);  // one epoch in five is lucky
  EXPECT_DOUBLE_EQ(weak.step(), 1);
  EXPECT_EQ(weak.phase(), Phase::settle);
  EXPECT_EQ(grown({0.4, 0.41, 0.42}, options).step(), 9) << "it learns";
  EXPECT_DOUBLE_EQ(grown({0.499}, options).step(), 1) << "less than a hundredth better is not learned";
  ProtocolOptions short_phase{.patience = 2, .base_criterion = 0.5, .softenings = 2};
  Protocol two(short_phase, 9);
  for (const double error : {0.2, 0.6, 0.6}) two.advance(error, false);
  EXPECT_EQ(two.step(), 9) << "the average begins with the first epoch's error: 0.276";
  EXPECT_EQ(two.phase(), Phase::settle);
  options.softenings = 0;
  EXPECT_EQ(grown({0.6}, options).step(), 9);
}

TEST(Softening, IsPartOfTheState) {
  const ProtocolOptions options{.patience = 3, .base_criterion = 0.5, .softenings = 2};
  Protocol protocol(options, 9);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(protocol.advance(0.6, false).rewind, false);
  const Verdict softened = protocol.advance(0.6, false);
  EXPECT_TRUE(softened.rewind && !softened.keep) << "back to the best state, which stays kept";
  EXPECT_DOUBLE_EQ(protocol.step(), 3);
  Protocol again(options, 9);
  again.restore(protocol.state());
  for (int i = 0; i < 12; ++i) {
    protocol.advance(0.6, false);
    again.advance(0.6, false);
    EXPECT_EQ(again.phase(), protocol.phase());
    EXPECT_EQ(again.step(), protocol.step());
  }
}

}  // namespace
}  // namespace coppice
