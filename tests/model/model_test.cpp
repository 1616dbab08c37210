#include "coppice/model/model.h"

#include "coppice/core/file.h"
#include "coppice/model/folding.h"
#include "coppice/model/parts.h"
#include "coppice/network/evaluate.h"

#include "tests/model/models.h"
#include "tests/network/fixture.h"

#include <gmock/gmock.h>
#include <utility>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Model, SaysWhatItIs) {
  const ModelParts parts = small_model({4, 3});
  const Model model(parts);
  EXPECT_EQ(model.task(), Task::classification);
  EXPECT_EQ(model.target(), "kind");
  EXPECT_THAT(model.classes(), ElementsAre("a", "b", "c,d"));
  ASSERT_EQ(model.columns().size(), 2U);
  EXPECT_EQ(model.columns()[0].name, "age");
  EXPECT_EQ(model.columns()[0].kind, ColumnKind::number);
  EXPECT_EQ(model.columns()[1].kind, ColumnKind::text);
  EXPECT_THAT(model.columns()[1].categories, ElementsAre("", "gr\u00fcn"));
  EXPECT_THAT(model.ids(), ElementsAre("id"));
  EXPECT_EQ(model.inputs(), 5U);
  EXPECT_THAT(
      model.input_names(),
      ElementsAre("age", "age missing", "colour \"x\"=", "colour \"x\"=gr\u00fcn", "colour \"x\" other"));
  EXPECT_THAT(model.hidden_units(), ElementsAre(4, 3));
  EXPECT_EQ(model.parameters(), 4U * 5 + 3 * 4 + 3 * 3);
  EXPECT_EQ(model.activation(), Activation::relu);
  EXPECT_EQ(model.temperature(), 0.625);
  EXPECT_EQ(model.origin().seed, parts.origin.seed);
  EXPECT_EQ(model.origin().test_error, 0.125);
}

TEST(Model, CopiesShareOneModel) {
  const Model model(small_model());
  Model other(small_model({2}));
  const Model before = other;
  other = model;
  EXPECT_EQ(&other.parts(), &model.parts());
  EXPECT_EQ(&other.folded(), &model.folded());
  EXPECT_THAT(before.hidden_units(), ElementsAre(2)) << "a copy is not changed by what happens to another";
}

TEST(Model, IsStillOneAfterAMove) {
  Model model(small_model());
  const Model taken = std::move(model);  // NOLINT(performance-move-const-arg)
  EXPECT_EQ(model.inputs(), 5U);         // NOLINT(bugprone-use-after-move,clang-analyzer-cplusplus.Move)
  EXPECT_EQ(taken.inputs(), 5U);
}

TEST(Model, KeepsTheNetworkAsTrainedBesideTheFoldedOne) {
  const ModelParts parts = small_model();
  const Model model(parts);
  EXPECT_EQ(model.parts().network, parts.network);
  EXPECT_EQ(model.parts().statistics, parts.statistics);
  const FoldedNet folded = fold(parts.network, parts.statistics);
  EXPECT_EQ(model.folded().front().network, folded.network);
  EXPECT_EQ(model.folded().front().statistics, folded.statistics);
  EXPECT_NE(model.folded().front().network, parts.network);
}

TEST(Model, KinksFoldIntoTheBias) {
  const Dataset data = random_dataset(80, 4, 3, 2);
  const Network<float> network =
      uneven_network<float>({.inputs = 4, .outputs = 3, .hidden = {9, 6}, .kinks = 1}, 5);
  ThreadPool pool(1);
  Workspace<float> workspace;
  const Statistics<float> statistics = measure_statistics(pool, network, data, all_rows(data), workspace);
  const FoldedNet folded = fold(network, statistics);
  Matrix<float> scores;
  evaluate(pool, folded.network, folded.statistics, data, all_rows(data), workspace, &scores);
  const Matrix<float> trained = training_scores(network, data);
  for (std::size_t i = 0; i < 80; ++i) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(scores(i, k), trained(k, i), 1e-5);
  }
}

class ModelOnDisk : public Folder {};

TEST_F(ModelOnDisk, IsTheSameBytes) {
  const ModelParts parts = small_model();
  const Model model(parts);
  EXPECT_EQ(model.bytes(), model_bytes(parts));
  EXPECT_EQ(Model::from_bytes(model.bytes()).bytes(), model.bytes());
  model.save(path("m.coppice"));
  EXPECT_EQ(read_file(path("m.coppice")), model.bytes());
  EXPECT_EQ(Model::load(path("m.coppice")).bytes(), model.bytes());
}

TEST_F(ModelOnDisk, MistakesNameTheFile) {
  EXPECT_THAT(message_of([&] { Model::load(path("none.coppice")); }), HasSubstr("none.coppice"));
  write("m.coppice", "COPPICE\n");
  EXPECT_THAT(message_of([&] { Model::load(path("m.coppice")); }), HasSubstr("m.coppice"));
  EXPECT_THAT(message_of([&] { Model::from_bytes("COPPICE\n", "what came"); }), HasSubstr("what came"));
}

TEST(Model, NamesTheColumnsThatOthersWereMadeOf) {
  ModelParts parts = small_model({4, 3});
  parts.encoding.columns[0].name = "when day";
  parts.encoding.derived = {{.source = "when", .kind = DerivedKind::date, .origin = 19844}};
  const Model model(parts);
  ASSERT_EQ(model.columns().size(), 2U);
  EXPECT_EQ(model.columns()[0].name, "when");
  EXPECT_EQ(model.columns()[0].kind, ColumnKind::text);
  EXPECT_NE(model.columns()[1].name, "when day");
}

}  // namespace
}  // namespace coppice
