// Passes over shares of the rows: about those over all rows, and the same bits whoever holds which share.
#include "coppice/network/row_team.h"

#include "coppice/core/random.h"
#include "coppice/core/scratch_file.h"
#include "coppice/data/packed_rows.h"
#include "coppice/network/evaluate.h"
#include "coppice/network/gradient.h"

#include <numeric>

#include <gtest/gtest.h>

namespace coppice {
namespace {

constexpr std::size_t inputs = 7;

Dataset some_rows(std::size_t rows, bool classes, bool weighted) {
  Dataset data;
  data.inputs = Matrix<float>(rows, inputs);
  Random random(3, Purpose::generator);
  for (std::size_t i = 0; i < rows; ++i) {
    for (float& value : data.inputs.row(i)) value = static_cast<float>(3 * random.normal());
    if (classes) data.labels.push_back(static_cast<std::uint32_t>(random.below(3)));
    if (!classes) data.targets.push_back(static_cast<float>(random.normal()));
    if (weighted) data.weights.push_back(0.5F + static_cast<float>(random.below(4)));
  }
  return data;
}

Network<float> some_network(bool classes, Norm norm, Activation activation) {
  Network<float> network = make_network<float>({.inputs = inputs,
                                                .outputs = classes ? 3U : 1U,
                                                .hidden = {40, 5},
                                                .activation = activation,
                                                .norm = norm,
                                                .output_capnorm = norm == Norm::capnorm},
                                               5);
  if (classes) network.offset = {-1.0F, -1.5F, -0.7F};
  return network;
}

/// As many holders as processes would be.
class Team final : public RowTeam {
 public:
  Team(const Dataset& data, std::size_t holders) {
    for (std::size_t i = 0; i < holders; ++i)
      holders_.emplace_back(data, i * row_shares / holders, row_shares / holders);
  }

 protected:
  std::vector<std::string> ask(const Compute& compute, const std::string& question) override {
    std::vector<std::string> answers;
    for (HeldShares& holder : holders_) answers.push_back(holder.answer(compute, question));
    return answers;
  }

 private:
  std::vector<HeldShares> holders_;
};

struct Outcome {
  LossSum loss;
  std::vector<Matrix<float>> gradients;
  Statistics<float> statistics;
  LossSum evaluated;
  Matrix<float> scores;
};

Outcome by_team(RowTeam& team, ThreadPool& pool, const Network<float>& network,
                std::span<const std::uint32_t> rows) {
  Outcome outcome;
  Workspace<float> workspace;
  outcome.loss = team.gradient(pool, network, rows, 0.1F, 0.0F, workspace);
  for (const LayerBuffers<float>& layer : workspace.layers)
    outcome.gradients.push_back(layer.weight_gradient);
  outcome.statistics = team.statistics(pool, network, rows);
  outcome.evaluated = team.evaluate(pool, network, outcome.statistics, rows, &outcome.scores);
  return outcome;
}

void expect_near(const Matrix<float>& one, const Matrix<float>& other) {
  ASSERT_EQ(one.rows(), other.rows());
  double most = 1e-6;
  for (std::size_t i = 0; i < one.rows(); ++i)
    for (const float value : one.row(i)) most = std::max(most, std::abs(static_cast<double>(value)));
  for (std::size_t i = 0; i < one.rows(); ++i)
    for (std::size_t k = 0; k < one.cols(); ++k)
      EXPECT_NEAR(one(i, k), other(i, k), 2e-5 * most) << i << ' ' << k;
}

TEST(RowTeam, ComesToWhatOnePassDoesWhoeverHoldsTheRows) {
  ThreadPool pool(2);
  std::vector<std::uint32_t> rows(150);
  std::iota(rows.begin(), rows.end(), 10U);
  Random(1, Purpose::generator).shuffle(rows);
  const std::vector<std::uint32_t> few{4, 12, 5};  // most shares have none of them
  for (const bool classes : {true, false}) {
    for (const bool weighted : {false, true}) {
      for (const auto& [norm, activation] :
           {std::pair(Norm::capnorm, Activation::relu), std::pair(Norm::capnorm, Activation::tanh),
            std::pair(Norm::none, Activation::relu)}) {
        const Dataset data = some_rows(200, classes, weighted);
        const Network<float> network = some_network(classes, norm, activation);
        for (const std::vector<std::uint32_t>& batch : {rows, few}) {
          LocalTeam alone(data);
          const Outcome outcome = by_team(alone, pool, network, batch);
          Workspace<float> workspace;
          gather_batch(pool, data, batch, workspace);
          const LossSum loss = compute_gradient(pool, network, 0.1F, workspace);
          EXPECT_NEAR(outcome.loss.loss, loss.loss, 1e-5 * loss.loss);
          EXPECT_EQ(outcome.loss.wrong, loss.wrong);
          for (std::size_t l = 0; l < network.layers.size(); ++l)
            expect_near(workspace.layers[l].weight_gradient, outcome.gradients[l]);
          Matrix<float> scores;
          const Statistics<float> fixed = measure_statistics(pool, network, data, batch, workspace);
          const LossSum evaluated = evaluate(pool, network, fixed, data, batch, workspace, &scores);
          EXPECT_NEAR(outcome.evaluated.loss, evaluated.loss, 1e-5 * evaluated.loss);
          expect_near(scores, outcome.scores);
          for (const std::size_t holders : {2U, 4U, 8U}) {
            Team team(data, holders);
            const Outcome other = by_team(team, pool, network, batch);
            EXPECT_EQ(other.loss.loss, outcome.loss.loss);
            EXPECT_TRUE(other.gradients == outcome.gradients) << holders;
            EXPECT_TRUE(other.statistics == outcome.statistics) << holders;
            EXPECT_EQ(other.evaluated.loss, outcome.evaluated.loss);
            EXPECT_TRUE(other.scores == outcome.scores) << holders;
          }
        }
      }
    }
  }
}

TEST(RowTeam, LabelsAreSmoothedWhoeverHoldsTheRows) {
  ThreadPool pool(1);
  std::vector<std::uint32_t> rows(100);
  std::iota(rows.begin(), rows.end(), 0U);
  const Dataset data = some_rows(100, true, false);
  const Network<float> network = some_network(true, Norm::capnorm, Activation::relu);
  Workspace<float> workspace;
  gather_batch(pool, data, rows, workspace);
  const double hard = compute_gradient(pool, network, 0.1F, workspace).loss;
  workspace.label_smoothing = 0.3F;
  const LossSum loss = compute_gradient(pool, network, 0.1F, workspace);
  EXPECT_GT(std::abs(loss.loss - hard), 0.001 * hard);
  for (const std::size_t holders : {1U, 4U}) {
    Team team(data, holders);
    Workspace<float> of_team;
    EXPECT_NEAR(team.gradient(pool, network, rows, 0.1F, 0.3F, of_team).loss, loss.loss, 1e-5 * loss.loss);
    for (std::size_t l = 0; l < network.layers.size(); ++l)
      expect_near(workspace.layers[l].weight_gradient, of_team.layers[l].weight_gradient);
  }
}

/// The same rows with their inputs in a file.
Dataset in_a_file(Dataset data) {
  RowFormat format;
  format.add_floats(data.input_count());
  const auto rows = std::make_shared<PackedRows>(format, data.rows(), std::make_shared<ScratchFile>());
  for (std::size_t row = 0; row < data.rows(); ++row)
    rows->write(row, std::as_bytes(std::as_const(data.inputs).row(row)));
  data.packed = rows;
  data.inputs = {};
  return data;
}

TEST(RowTeam, RowsInAFileAreThoseInMemory) {
  ThreadPool pool(1);
  std::vector<std::uint32_t> rows(60);
  std::iota(rows.begin(), rows.end(), 20U);
  const Dataset held = some_rows(100, true, false);
  const Dataset data = in_a_file(held);
  Workspace<double> one;
  Workspace<double> other;
  gather_batch(pool, held, rows, one);
  gather_batch(pool, data, rows, other);
  EXPECT_TRUE(one.inputs == other.inputs);
  const Network<float> network = some_network(true, Norm::capnorm, Activation::relu);
  LocalTeam of_memory(held);
  const Outcome expected = by_team(of_memory, pool, network, rows);
  for (const std::size_t holders : {1U, 4U}) {
    Team team(data, holders);
    const Outcome outcome = by_team(team, pool, network, rows);
    EXPECT_EQ(outcome.loss.loss, expected.loss.loss);
    EXPECT_TRUE(outcome.gradients == expected.gradients) << holders;
    EXPECT_TRUE(outcome.scores == expected.scores) << holders;
  }
}

}  // namespace
}  // namespace coppice
