#include "tests/api/consistent.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <map>

namespace coppice::test {

namespace {

/// What decides between nets: the log-loss of classes, the error of numbers; of equal ones who went on with all rows.
double decider(const NetResult& net) {
  return net.log_loss.value_or(net.validation_error) * (net.refit ? 1 - 1e-9 : 1);
}

}  // namespace

void expect_consistent(const Result& result) {
  ASSERT_FALSE(result.nets.empty());
  ASSERT_EQ(result.models.size(), result.nets.size());
  std::map<std::size_t, std::size_t> epochs;  // of each net in the history
  for (const EpochReport& report : result.history) {
    EXPECT_EQ(report.epoch, ++epochs[report.net]) << "in order, none left out";
    EXPECT_TRUE(report.lengths.empty());
  }
  for (std::size_t i = 0; i < result.nets.size(); ++i) {
    const NetResult& net = result.nets[i];
    const Model& model = result.models[i];
    EXPECT_EQ(net.id, i);
    EXPECT_EQ(net.epochs, epochs[i]);
    EXPECT_EQ(net.parameters, model.parameters());
    EXPECT_EQ(net.hidden_units, model.hidden_units());
    EXPECT_EQ(net.bytes, model.bytes().size());
    EXPECT_EQ(net.lambda, model.origin().lambda);
    EXPECT_EQ(net.seed, model.origin().seed);
    EXPECT_EQ(net.validation_error, model.origin().validation_error);
    EXPECT_EQ(net.test_error, model.origin().test_error);
    EXPECT_EQ(model.task(), result.task);
    EXPECT_EQ(model.target(), result.options.target);
    EXPECT_GE(decider(net), decider(result.nets[result.best]));
    const auto beats = [&](const NetResult& other) {
      return other.parameters <= net.parameters && decider(other) <= decider(net) &&
             (other.parameters < net.parameters || decider(other) < decider(net) || other.id < net.id);
    };
    EXPECT_EQ(net.dominated, std::ranges::any_of(result.nets, beats)) << i;
  }
  const std::vector<std::size_t> front = result.front();
  ASSERT_FALSE(front.empty());
  for (std::size_t k = 1; k < front.size(); ++k) {
    EXPECT_LT(result.nets[front[k - 1]].parameters, result.nets[front[k]].parameters);
    EXPECT_GT(decider(result.nets[front[k - 1]]), decider(result.nets[front[k]]));
  }
  EXPECT_THAT(front, ::testing::Contains(result.best));
  if (result.chosen) {
    EXPECT_EQ(result.model().bytes(), result.models[*result.chosen].bytes());
  }
  EXPECT_FALSE(result.notes.empty());
  EXPECT_GT(result.threads, 0U);
  EXPECT_GE(result.seconds, 0);
  EXPECT_FALSE(result.device_text.empty());
}

}  // namespace coppice::test
