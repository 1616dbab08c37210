#include "coppice/analysis/measured_net.h"

#include "coppice/analysis/metrics.h"
#include "coppice/model/parts.h"
#include "coppice/model/predict.h"

#include "tests/training/problems.h"

#include <gtest/gtest.h>

namespace coppice {
namespace {

/// A net of two classes in training, and the data that it is measured on.
struct Trained {
  explicit Trained(bool classes) : options(options_for(classes)) {
    for (Dataset* data : {&train, &validation, &test}) {
      if (!classes) {
        data->targets.assign(data->labels.begin(), data->labels.end());
        data->labels.clear();
      }
    }
    for (const char* name : {"a", "b"}) encoding.columns.push_back({.name = name, .categories = {}});
    encoding.offset.resize(2);
    encoding.factor.assign(2, 1);
    encoding.task = classes ? Task::classification : Task::regression;
    if (classes) encoding.target.classes = {"no", "yes"};
    net = net_data(train, validation, classes ? 2 : 0);
    run = trainer.start(3, 1e-2, 7, net);
    for (int i = 0; i < 3; ++i) train_epoch(trainer, run, net);
  }

  static TrainingOptions options_for(bool classes) {
    TrainingOptions options;
    options.batch_size = 50;
    options.angular_step = classes ? 4 : 0.3;
    return options;
  }

  MeasuredNet measured(bool tested = true) {
    return measure_net(pool, trainer, run, run.kept,
                       {.encoding = &encoding,
                        .net = &net,
                        .test = tested ? &test : nullptr,
                        .test_rows = test_rows,
                        .version = "9.8"});
  }

  Metrics metrics(const Model& model, const Dataset& data, std::span<const std::uint32_t> rows) {
    std::vector<std::uint32_t> labels;
    std::vector<float> targets;
    for (const std::uint32_t row : rows) {
      if (!data.labels.empty()) labels.push_back(data.labels[row]);
      if (!data.targets.empty()) targets.push_back(data.targets[row]);
    }
    return measure(model.parts(), predict_scores(pool, model.folded(), data, rows), labels, targets);
  }

  Dataset train = xor_dataset(400, 1);
  Dataset validation = xor_dataset(100, 2);
  Dataset test = xor_dataset(80, 3);
  std::vector<std::uint32_t> test_rows{5, 1, 70, 33, 34, 35, 36, 2};
  TrainingOptions options;
  ThreadPool pool{2};
  Trainer trainer{pool, options};
  Encoding encoding;
  NetData net;
  NetRun run;
};

TEST(MeasuredNet, TheErrorsAreThoseOfTheModelAsItIsWritten) {
  for (const bool classes : {true, false}) {
    Trained trained(classes);
    const MeasuredNet measured = trained.measured();
    const Model again = Model::from_bytes(measured.model.bytes());
    const Metrics validation = trained.metrics(again, trained.validation, all_rows(trained.validation));
    EXPECT_EQ(measured.validation_error, validation.error);
    EXPECT_EQ(measured.standard_error, validation.standard_error);
    EXPECT_EQ(measured.test_error, trained.metrics(again, trained.test, trained.test_rows).error);
    EXPECT_EQ(again.origin().validation_error, measured.validation_error);
    EXPECT_EQ(again.origin().test_error, measured.test_error);
    EXPECT_EQ(again.temperature() == 1, !classes) << "fitted for classes, of no use for numbers";
  }
}

TEST(MeasuredNet, SaysHowItCameToBe) {
  Trained trained(true);
  const ModelOrigin origin = trained.measured(false).model.origin();
  EXPECT_EQ(origin.version, "9.8");
  EXPECT_EQ(origin.optimizer, "adarad");
  EXPECT_EQ(origin.lambda, 1e-2);
  EXPECT_EQ(origin.seed, 7U);
  EXPECT_EQ(origin.epochs, 3U);
  EXPECT_EQ(origin.phase, "grow");
  EXPECT_EQ(origin.train_rows, 400U);
  EXPECT_EQ(origin.validation_rows, 100U);
  EXPECT_EQ(origin.train_loss, trained.run.kept.train_loss);
  EXPECT_EQ(origin.test_error, std::nullopt) << "there are no test rows";
}

TEST(MeasuredNet, IsTheStateThatWasAskedFor) {
  Trained trained(true);
  const MeasuredNet measured = trained.measured();
  EXPECT_EQ(measured.model.parts().network, trained.run.kept.network);
  const FoldedNet folded = fold(measured.model.parts().network, measured.model.parts().statistics);
  EXPECT_EQ(measured.model.folded().front().network, folded.network);
  EXPECT_EQ(measured.model.folded().front().statistics, folded.statistics);
}

}  // namespace
}  // namespace coppice
