#include "coppice/api/fixed_nets.h"

#include "coppice/api/resolve.h"
#include "coppice/api/train.h"
#include "coppice/data/column.h"
#include "coppice/exports/export.h"
#include "coppice/training/trainer.h"

#include "tests/api/tables.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::UnorderedElementsAre;

/// Of 30 columns two tell the class, c7 and c19; the others are noise.
Table noisy_table(std::size_t rows, std::uint64_t seed = 1) {
  Random random(seed, Purpose::generator);
  std::vector<std::vector<float>> columns(30, std::vector<float>(rows));
  for (std::vector<float>& column : columns) {
    for (float& value : column) value = static_cast<float>(random.normal());
  }
  std::vector<int> label;
  for (std::size_t i = 0; i < rows; ++i) label.push_back(columns[7][i] + columns[19][i] > 0 ? 1 : 0);
  Table table;
  for (std::size_t c = 0; c < columns.size(); ++c) table.add_numbers(fmt::format("c{}", c), columns[c]);
  table.add_numbers("label", label);
  return table;
}

Options budget_options(std::size_t parameters) {
  Options options = ring_options();
  options.max_epochs.reset();
  options.max_parameters = parameters;
  return options;
}

TEST(FixedNets, AreAsLargeAsWasSaid) {
  const Mixed mixed(200);
  for (const char* target : {"word", "value"}) {
    Options options = mixed_options(target);
    const Prepared prepared = prepare(mixed.table(), options);
    const TrainingOptions training = training_options(prepared.options);
    for (const Columns& columns : {Columns{}, Columns{0, 2}, Columns{3}}) {
      const PreparedData data = columns.empty() ? prepared.data : keep_columns(prepared.data, columns);
      for (const HiddenUnits& hidden : {HiddenUnits{5}, HiddenUnits{4, 3}}) {
        ThreadPool pool(1);
        const Trainer trainer(pool, fixed_options(training, hidden));
        const NetRun run = trainer.start(0, 0, 0, data.net_data(0));
        const Candidate size = size_of(prepared.data, training, columns, hidden, BytesFor::model);
        EXPECT_EQ(size.parameters, run.current.network.parameters());
        EXPECT_EQ(size.bytes - 256, model_size(data.encoding, run.current.network, BytesFor::model));
        EXPECT_EQ(size_of(prepared.data, training, columns, hidden, std::nullopt).bytes, 0U);
        for (const BytesFor header : {BytesFor::c, BytesFor::c_int8}) {
          EXPECT_EQ(size_of(prepared.data, training, columns, hidden, header).bytes,
                    model_size(data.encoding, run.current.network, header));
        }
      }
    }
  }
}

TEST(FixedNets, ColumnsThatTellOfTheTargetAreFoundWithoutANet) {
  for (const Task task : {Task::classification, Task::regression}) {
    Options options = ring_options();
    options.task = task;
    const Prepared prepared = prepare(noisy_table(300), options);
    const Columns all = telling_columns(prepared.data, 0);
    EXPECT_EQ(all.size(), 30U);
    EXPECT_THAT((Columns{all[0], all[1]}), UnorderedElementsAre(7U, 19U));
  }
}

TEST(FixedNets, ColumnsAreRankedByHowFarTheyReachIntoANet) {
  const Prepared prepared = prepare(noisy_table(300), ring_options());
  const Columns some{3, 7, 11, 19, 20};
  const PreparedData narrow = keep_columns(prepared.data, some);
  ThreadPool pool(1);
  const Trainer trainer(pool, fixed_options(training_options(prepared.options), {3}));
  NetRun run = trainer.start(0, 0, 0, narrow.net_data(0));
  Matrix<float>& weights = run.current.network.layers.front().weights;
  for (std::size_t j = 0; j < weights.rows(); ++j) {
    for (std::size_t i = 0; i < weights.cols(); ++i) weights(j, i) = i == 2 ? 1.0F : i == 4 ? 0.5F : 0.01F;
  }
  const Columns ranked = rank_columns(trainer, run.current, narrow, 0, some);
  EXPECT_THAT(ranked, UnorderedElementsAre(3U, 7U, 11U, 19U, 20U)) << "columns of the table";
  EXPECT_EQ(ranked[0], 11U);
  EXPECT_EQ(ranked[1], 20U);
}

TEST(FixedNets, KeepOptimizersAndNormsThatWereChosen) {
  TrainingOptions options;
  options.optimizer = OptimizerKind::momentum;
  options.norm = Norm::none;
  options.step = 0.5;
  const TrainingOptions fixed = fixed_options(options, {3});
  EXPECT_EQ(fixed.optimizer, OptimizerKind::momentum);
  EXPECT_EQ(fixed.norm, Norm::none);
  EXPECT_EQ(fixed.step, 0.5);
  EXPECT_EQ(fixed.hidden_layers, 1U);
}

TEST(FixedNets, ATightBudgetIsSpentOnTheColumnsThatTell) {
  const Table table = noisy_table(400);
  const Result result = train(table, budget_options(60));
  ASSERT_TRUE(result.chosen);
  const NetResult& net = result.nets[*result.chosen];
  EXPECT_EQ(net.kind, NetKind::fixed);
  EXPECT_LE(net.parameters, 60U);
  EXPECT_EQ(net.parameters, result.model().parameters());
  EXPECT_LT(net.inputs, 30U);
  std::vector<std::string> names;
  for (const ModelColumn& column : result.model().columns()) names.push_back(column.name);
  EXPECT_EQ(names.size(), net.inputs);
  EXPECT_THAT(names, IsSupersetOf({"c7", "c19"}));

  const Table other = noisy_table(300, 2);
  const Prediction said = result.model().predict(other);
  EXPECT_TRUE(said.warnings.empty()) << said.warnings.front();
  Table bare;  // nothing else is needed
  for (const std::string& name : names) {
    std::vector<float> values;
    for (std::size_t i = 0; i < other.rows(); ++i)
      values.push_back(static_cast<float>(other.column(*other.find(name)).number(i)));
    bare.add_numbers(name, values);
  }
  EXPECT_EQ(result.model().predict(bare).probabilities, said.probabilities);
  const Column& label = other.column(*other.find("label"));
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < other.rows(); ++i)
    wrong += said.class_of(i) == (label.number(i) > 0 ? "1" : "0") ? 0 : 1;
  EXPECT_LT(wrong, 45U) << "of 300";
}

/// What decides is no worse than for any net of fixed size that one might have asked for instead.
TEST(FixedNets, AreNoWorseThanTheBestThatFits) {
  const Table table = ring_table(400);
  const Options options = budget_options(40);
  const Result result = train(table, options);
  ASSERT_TRUE(result.chosen);
  EXPECT_LE(result.nets[*result.chosen].parameters, 40U);
  for (const HiddenUnits& size : {HiddenUnits{6}, HiddenUnits{4, 3}}) {
    Options fixed = ring_options();
    fixed.max_epochs.reset();
    fixed.lambdas.clear();
    fixed.fixed_size = size;
    fixed.optimizer = OptimizerKind::adam;
    const Result alone = train(table, fixed);
    EXPECT_EQ(alone.nets[0].kind, NetKind::fixed);
    ASSERT_LE(alone.nets[0].parameters, 40U);
    EXPECT_LE(result.nets[*result.chosen].log_loss.value(), alone.nets[0].log_loss.value() + 0.02);
  }
}

TEST(FixedNets, BytesAreABudgetToo) {
  Options options = budget_options(60);
  options.max_parameters.reset();
  options.max_bytes = 2500;
  const Result result = train(noisy_table(300), options);
  ASSERT_TRUE(result.chosen);
  EXPECT_LE(result.model().bytes().size(), 2500U);
  EXPECT_EQ(result.nets[*result.chosen].kind, NetKind::fixed);
}

TEST(FixedNets, BytesMayBeThoseOfACHeader) {
  const Table table = noisy_table(300);
  for (const BytesFor header : {BytesFor::c, BytesFor::c_int8}) {
    SCOPED_TRACE(name_of(header));
    Options options = budget_options(60);
    options.max_parameters.reset();
    options.max_bytes = 500;
    options.bytes_for = header;
    const Result result = train(table, options);
    ASSERT_TRUE(result.chosen);
    const NetResult& chosen = result.nets[*result.chosen];
    EXPECT_GT(chosen.flash, 250U) << "they are made to fill it";
    EXPECT_LE(chosen.flash, 500U);
    EXPECT_GT(chosen.bytes, 500U) << "the file may be larger";
    const std::string text = export_model(
        result.model(), {.format = ExportFormat::c,
                         .int8 = header == BytesFor::c_int8,
                         .calibrate = header == BytesFor::c ? std::nullopt : std::optional(table)});
    const std::size_t at = text.find("flash: ");
    EXPECT_LE(std::stoul(text.substr(at + 7)), chosen.flash) << "which numbers are equal is known then";
    EXPECT_GE(std::stoul(text.substr(at + 7)), chosen.flash - 12);
    options.max_bytes = 1;
    EXPECT_THAT(message_of([&] { train(table, options).model(); }),
                HasSubstr(fmt::format("no net fits `max-bytes` 1 `for` {}: the smallest", name_of(header))));
  }
}

TEST(FixedNets, ThePaperAndNetsOfAChosenSizeHaveNone) {
  Options options = budget_options(30);
  options.effort = Effort::paper;
  options.max_epochs = 5;
  const Table table = ring_table(200);
  for (const NetResult& net : train(table, options).nets) EXPECT_EQ(net.kind, NetKind::grown);
  options = budget_options(30);
  options.lambdas.clear();
  options.fixed_size = {9, 9};
  options.optimizer = OptimizerKind::adam;
  const Result fixed = train(table, options);
  EXPECT_EQ(fixed.nets.size(), 1U);
  EXPECT_FALSE(fixed.chosen);
}

}  // namespace
}  // namespace coppice
