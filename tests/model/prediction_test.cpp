#include "coppice/device/gpu.h"
#include "coppice/model/model.h"
#include "coppice/model/parts.h"
#include "coppice/model/predict.h"
#include "coppice/network/evaluate.h"

#include "tests/model/models.h"

#include <atomic>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>
#include <random>
#include <thread>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* colour = "colour \"x\"";
constexpr float missing = std::numeric_limits<float>::quiet_NaN();

/// Rows for small_model: ages of which some are missing, colours of which some are unknown.
Table random_table(std::size_t rows, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  const std::vector<std::string> colours{"gr\u00fcn", "", "violet"};
  std::vector<float> ages;
  std::vector<std::string> texts;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < rows; ++i) {
    ages.push_back(random() % 5 == 0 ? missing : 3 * normal(random));
    texts.push_back(colours[random() % 3]);
    ids.push_back("row " + std::to_string(i));
  }
  Table table;
  table.add_texts("id", ids);
  table.add_texts(colour, texts);
  table.add_numbers("age", ages);
  return table;
}

ModelParts regression_model(double mean, double deviation) {
  ModelParts parts = small_model();
  parts.encoding.task = Task::regression;
  parts.encoding.target = {.name = "price", .classes = {}, .mean = mean, .deviation = deviation};
  parts.network.layers.back().weights.keep_rows(std::vector<std::size_t>{0});
  parts.network.layers.back().units.resize(1);
  parts.statistics.mean.back().resize(1);
  parts.statistics.divisor.back().resize(1);
  parts.network.offset.clear();
  return parts;
}

/// Scores as they were computed before models held their folded network: everything copied and folded for each call.
Matrix<float> scores_as_before(ThreadPool& pool, const ModelParts& model, const Dataset& data) {
  const FoldedNet net = fold(model.network, model.statistics);
  std::vector<std::uint32_t> rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  Matrix<float> scores(rows.size(), net.network.outputs());
  Workspace<float> workspace;
  std::size_t at = 0;
  for_scores<float>(pool, net.network, net.statistics, data, rows, workspace,
                    [&](View<const float> chunk, std::span<const std::uint32_t> chunk_rows) {
                      for (std::size_t i = 0; i < chunk_rows.size(); ++i, ++at) {
                        for (std::size_t k = 0; k < chunk.rows; ++k) scores(at, k) = chunk(k, i);
                      }
                    });
  for (std::size_t i = 0; i < scores.rows() && !net.network.offset.empty(); ++i) {
    for (std::size_t k = 0; k < scores.cols(); ++k) scores(i, k) += net.network.offset[k];
  }
  return scores;
}

TEST(Prediction, IsBitByBitWhatFoldingForEachCallGave) {
  ModelParts plain = small_model({40, 30});
  ModelParts affine = plain;
  make_affine(affine);
  for (const ModelParts& parts : {plain, affine}) {
    const Model model(parts);
    for (const std::size_t rows : {1, 2, 130, 1000, 2345}) {
      const Table table = random_table(rows, 5);
      std::vector<std::string> warnings;
      const Dataset data = encode(table, parts.encoding, false, warnings);
      ThreadPool pool(2);
      const Matrix<float> expected = scores_as_before(pool, parts, data);
      for (const std::size_t threads : {1, 3}) {
        const Prediction prediction = model.predict(table, {.threads = threads});
        ASSERT_EQ(prediction.rows, rows);
        for (std::size_t i = 0; i < rows; ++i) {
          const std::vector<double> p = probabilities(expected.row(i), parts.temperature);
          ASSERT_EQ(prediction.classes[i], best_class(expected.row(i)));
          for (std::size_t k = 0; k < 3; ++k) ASSERT_EQ(prediction.probabilities_of(i)[k], p[k]) << i;
        }
      }
    }
  }
}

TEST(Prediction, OfClassesHasNamesAndProbabilities) {
  const Model model(small_model());
  const Prediction prediction = model.predict(random_table(20, 1));
  EXPECT_THAT(prediction.class_names, ElementsAre("a", "b", "c,d"));
  EXPECT_EQ(prediction.classes.size(), 20U);
  EXPECT_EQ(prediction.probabilities.size(), 60U);
  EXPECT_THAT(prediction.values, IsEmpty());
  for (std::size_t i = 0; i < 20; ++i) {
    const std::span<const double> p = prediction.probabilities_of(i);
    EXPECT_NEAR(p[0] + p[1] + p[2], 1, 1e-12);
    EXPECT_EQ(p[prediction.classes[i]], std::ranges::max(p));
    EXPECT_EQ(prediction.class_of(i), prediction.class_names[prediction.classes[i]]);
  }
}

TEST(Prediction, TakesTheTemperature) {
  ModelParts parts = small_model();
  const Table table = random_table(20, 1);
  parts.temperature = 1;
  const Prediction cool = Model(parts).predict(table);
  parts.temperature = 10;
  const Prediction warm = Model(parts).predict(table);
  EXPECT_EQ(cool.classes, warm.classes);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_LT(std::ranges::max(warm.probabilities_of(i)), std::ranges::max(cool.probabilities_of(i)));
  }
}

TEST(Prediction, OfNumbersIsInTheTargetsUnits) {
  const Table table = random_table(20, 1);
  const Prediction standardised = Model(regression_model(0, 1)).predict(table);
  const Prediction prediction = Model(regression_model(1000, 20)).predict(table);
  EXPECT_EQ(prediction.values.size(), 20U);
  EXPECT_THAT(prediction.classes, IsEmpty());
  EXPECT_THAT(prediction.probabilities, IsEmpty());
  EXPECT_THAT(prediction.class_names, IsEmpty());
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(prediction.values[i], 1000 + 20 * standardised.values[i]);
  }
}

TEST(Prediction, MissingAndUnknownCellsAreWhatTrainingMadeOfThem) {
  const Model model(small_model());
  const auto scores = [&](float age, const char* text) {
    Table table;
    table.add_numbers("age", std::vector{age});
    table.add_texts(colour, std::vector<std::string>{text});
    return model.predict(table).probabilities;
  };
  EXPECT_NE(scores(missing, "gr\u00fcn"), scores(3.5F, "gr\u00fcn")) << "the fill, but it was missing";
  EXPECT_EQ(scores(1, "violet"), scores(1, "pink"));
  EXPECT_EQ(scores(1, "NA"), scores(1, ""));
  EXPECT_NE(scores(1, ""), scores(1, "pink"));
}

TEST(Prediction, PassesIdsThrough) {
  const Model model(small_model());
  Table table;
  table.add_numbers("age", std::vector{1, 2, 3});
  table.add_texts(colour, std::vector<std::string>{"", "", ""});
  EXPECT_THAT(model.predict(table).ids, IsEmpty());
  EXPECT_THAT(model.predict(table).warnings, ElementsAre(HasSubstr("id columns that the table lacks")));
  table.add_texts("id", std::vector<std::string>{"0042", "", "x"});
  const Prediction prediction = model.predict(table);
  EXPECT_THAT(prediction.id_names, ElementsAre("id"));
  EXPECT_THAT(prediction.ids, ElementsAre(ElementsAre("0042", "", "x")));
  EXPECT_THAT(prediction.warnings, IsEmpty());
}

TEST(Prediction, FindsColumnsByName) {
  const Model model(small_model());
  const Table table = random_table(10, 3);
  Table other;
  std::vector<float> ages;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 10; ++i) {
    const std::string age = table.text("age", i);
    ages.push_back(age.empty() ? missing : std::stof(age));
    texts.push_back(table.text(colour, i));
  }
  other.add_numbers("noise", std::vector<int>(10, 7));
  other.add_numbers("age", ages);
  other.add_texts("kind", std::vector<std::string>(10, "a"));  // the answers, which nobody asked for
  other.add_texts(colour, texts);
  const Prediction prediction = model.predict(other);
  EXPECT_EQ(prediction.probabilities, model.predict(table).probabilities);
  EXPECT_THAT(prediction.warnings,
              ElementsAre(AllOf(HasSubstr("noise"), Not(HasSubstr("kind"))), HasSubstr("id")));
}

TEST(Prediction, WithoutAColumnSaysWhichOne) {
  const Model model(small_model());
  Table table;
  table.add_numbers("age", std::vector{1.0});
  try {
    model.predict(table);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("colour"), HasSubstr("age")));
    EXPECT_EQ(error.kind(), ErrorKind::bad_input);
    EXPECT_EQ(error.place().column, colour);
  }
}

TEST(Prediction, OfNoRowsIsEmpty) {
  Table table;
  table.add_numbers("age", std::vector<float>{});
  table.add_texts(colour, std::vector<std::string>{});
  table.add_texts("id", std::vector<std::string>{});
  const Prediction prediction = Model(small_model()).predict(table);
  EXPECT_EQ(prediction.rows, 0U);
  EXPECT_THAT(prediction.probabilities, IsEmpty());
  EXPECT_THAT(prediction.ids, ElementsAre(IsEmpty()));
}

TEST(Prediction, ThreadsMayShareOneModel) {
  const Model model(small_model({60, 50}));
  std::vector<Table> tables;
  std::vector<std::vector<double>> expected;
  for (unsigned i = 0; i < 8; ++i) {
    tables.push_back(random_table(i % 2 == 0 ? 1 : 3000, i));
    expected.push_back(model.predict(tables.back(), {.threads = 1}).probabilities);
  }
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < 8; ++t) {
      threads.emplace_back([&, t, copy = model] {
        for (std::size_t i = 0; i < 24; ++i) {
          const std::size_t which = (t + i) % tables.size();
          const Prediction prediction = copy.predict(tables[which], {.threads = 1 + t % 3});
          if (prediction.probabilities != expected[which]) ++wrong;
        }
      });
    }
  }
  EXPECT_EQ(wrong, 0);
}

TEST(Prediction, CanBeStopped) {
  const Model model(small_model());
  const Table table = random_table(5000, 1);
  for (const int most : {0, 2}) {
    int asked = 0;
    const auto stop = [&, self = std::this_thread::get_id()] {
      EXPECT_EQ(std::this_thread::get_id(), self) << "not the thread that called";
      return ++asked > most;
    };
    try {
      model.predict(table, {.threads = 2, .stop = stop});
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::interrupted);
    }
    EXPECT_EQ(asked, most + 1) << "it went on";
  }
  EXPECT_EQ(model.predict(table, {.stop = [] { return false; }}).rows, 5000U);
}

TEST(Prediction, OnAGpuThatIsNotThereIsRefused) {
  if (gpu_status().usable) GTEST_SKIP() << "there is a GPU";
  const Model model(small_model());
  const Table table = random_table(5, 1);
  try {
    model.predict(table, {.device = Device::cuda});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_option);
    EXPECT_EQ(error.place().option, "device");
  }
  const Prediction left_open = model.predict(table, {.device = std::nullopt});
  EXPECT_EQ(left_open.probabilities, model.predict(table).probabilities);
  EXPECT_THAT(left_open.notes, IsEmpty());
}

}  // namespace
}  // namespace coppice
