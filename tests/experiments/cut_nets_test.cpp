#include "experiments/cut_nets.h"

#include "coppice/model/parts.h"
#include "coppice/report/history.h"
#include "coppice/run/directory.h"

#include "experiments/training.h"
#include "tests/experiments/poker_session.h"

#include <filesystem>
#include <gmock/gmock.h>

namespace coppice::experiments {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

void set_row(Matrix<float>& weights, std::size_t row, std::initializer_list<float> values) {
  std::ranges::copy(values, weights.row(row).begin());
}

TEST(CutNets, UnitsThatReachFarthestStay) {
  Network<float> network = make_network<float>({.inputs = 2, .outputs = 1, .hidden = {3, 2}}, 1);
  set_row(network.layers[0].weights, 0, {3, 4});  // fan-in 5, fan-out 0.1
  set_row(network.layers[0].weights, 1, {1, 0});  // 1, 5
  set_row(network.layers[0].weights, 2, {0, 2});  // 2, 1
  set_row(network.layers[1].weights, 0, {0.1F, 3, 0});
  set_row(network.layers[1].weights, 1, {0, 4, 1});
  set_row(network.layers[2].weights, 0, {0.5F, 1});
  const Network<float> cut = cut_to(network, {2, 1});
  EXPECT_THAT(cut.hidden_units(), ElementsAre(2, 1));
  EXPECT_THAT(cut.layers[0].weights.row(0), ElementsAre(1, 0)) << "1 * 5 and 2 * 1 are more than 5 * 0.1";
  EXPECT_THAT(cut.layers[0].weights.row(1), ElementsAre(0, 2));
  EXPECT_THAT(cut.layers[1].weights.row(0), ElementsAre(4, 1));
  EXPECT_THAT(cut.layers[2].weights.row(0), ElementsAre(1));
  EXPECT_EQ(cut_to(network, {7, 7}), network) << "nothing to cut";
  EXPECT_THAT(test::message_of([&] { cut_to(network, {1}); }), HasSubstr("2 hidden layers"));
}

using SetBack = test::PokerSession;

/// A run that grows, with steps too small to change what units were born with.
TEST_F(SetBack, GivesTheWeightsThatUnitsWereBornWith) {
  const DataFiles data = find_poker(session);
  const TrainedNets nets = train_nets(session, "still", data,
                                      {{"lambda", "1e-9"},
                                       {"radial-step", "1e-9"},
                                       {"angular-step", "1e-12"},
                                       {"start-units", "3"},
                                       {"add-units", "2"},
                                       {"additions-per-epoch", "1"},
                                       {"batch-size", "100"},
                                       {"max-epochs", "4"},
                                       {"seed", "5"},
                                       {"ensemble", "off"},
                                       {"keep", "last"},
                                       {"patience", "100"}});
  const Model model = Model::load((std::filesystem::path(nets.directory) / "net-0.coppice").string());
  const Network<float>& trained = model.parts().network;
  EXPECT_THAT(trained.hidden_units(), ElementsAre(11, 11));
  const NetHistory history =
      read_journal((std::filesystem::path(nets.directory) / "journal.jsonl").string(), {0}).front();
  const Network<float> back = set_back(trained, history.lives, 5);
  for (std::size_t l = 0; l < trained.layers.size(); ++l) {
    const Matrix<float>& before = back.layers[l].weights;
    for (std::size_t j = 0; j < before.rows(); ++j)
      for (std::size_t i = 0; i < before.cols(); ++i)
        EXPECT_NEAR(before(j, i), trained.layers[l].weights(j, i), 1e-5) << l << ": " << j << ", " << i;
  }
  Network<float> other = trained;
  other.layers[0].weights = Matrix<float>(2, trained.inputs());
  EXPECT_THAT(test::message_of([&] { set_back(other, history.lives, 5); }), HasSubstr("layer 1"));
}

}  // namespace
}  // namespace coppice::experiments
