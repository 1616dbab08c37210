#include "coppice/analysis/metrics.h"
#include "coppice/core/fail.h"
#include "coppice/data/column.h"
#include "coppice/exports/c_header.h"
#include "coppice/exports/export.h"
#include "coppice/exports/int8_loss.h"
#include "coppice/exports/level_range.h"
#include "coppice/model/parts.h"
#include "coppice/model/predict.h"

#include "tests/exports/c_programs.h"
#include "tests/exports/exported_models.h"

#include <gmock/gmock.h>
#include <sstream>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using test::message_of;
using ::testing::HasSubstr;
using ::testing::Not;

using Int8 = test::CPrograms;

/// Models of every kind with the rows that they were made for.
std::vector<test::ExportedCase> usual_cases() {
  std::vector<test::ExportedCase> cases = test::exported_cases();
  std::erase_if(cases, [](const test::ExportedCase& one) { return one.rows.rows() < 20; });
  return cases;
}

/// What the 8-bit model says as the library computes it: probabilities, or the value.
std::vector<std::vector<double>> computed(const Model& model, const Table& rows) {
  const LoweredModel lowered = lower(model);
  const CalibratedModel made = calibrate(model, lowered, rows);
  std::vector<std::string> warnings;
  const Dataset data = encode(rows, model.parts().encoding, false, warnings);
  const Matrix<float> scores = quantized_scores(lowered, made.quantized, data.inputs);
  std::vector<std::vector<double>> answers;
  for (std::size_t row = 0; row < scores.rows(); ++row) {
    answers.push_back(model.task() == Task::regression
                          ? std::vector{model.parts().encoding.target.value(scores(row, 0))}
                          : probabilities(scores.row(row), model.temperature()));
  }
  return answers;
}

std::vector<double> predicted(const Model& model, const Prediction& prediction, std::size_t row) {
  if (model.task() == Task::regression) return {prediction.values[row]};
  const auto chances = prediction.probabilities_of(row);
  return {chances.begin(), chances.end()};
}

TEST_F(Int8, ChangesLittle) {
  for (const test::ExportedCase& one : usual_cases()) {
    SCOPED_TRACE(one.name);
    const Prediction prediction = one.model.predict(one.rows);
    const auto answers = computed(one.model, one.rows);
    const TargetColumn& target = one.model.parts().encoding.target;
    const double unit = one.model.task() == Task::classification ? 1 : target.unit();
    double squares = 0;
    double shift = 0;
    for (std::size_t row = 0; row < answers.size(); ++row) {
      const double off = (answers[row][0] - predicted(one.model, prediction, row)[0]) / unit;
      squares += off * off;
      shift += off;
    }
    const auto count = static_cast<double>(answers.size());
    // Inputs that are nearly always the same have large weights, which are made smaller, but not as small as the others.
    EXPECT_LT(std::sqrt(squares / count), one.name == "inputs that hardly vary" ? 0.02 : 0.015);
    EXPECT_LT(std::fabs(shift / count), 0.002) << "biases make up for what rounding does on average";
  }
}

TEST_F(Int8, HeadersSayWhatTheLibraryComputes) {
  const std::vector<test::ExportedCase> cases = usual_cases();
  std::vector<std::string> rows;
  std::string defines;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string name = fmt::format("net{}", i);
    write(name + ".h",
          export_model(cases[i].model,
                       {.format = ExportFormat::c, .name = name, .int8 = true, .calibrate = cases[i].rows}));
    rows.push_back(rows_text(lower(cases[i].model), cases[i].rows));
    defines += fmt::format("#define NET{}_SELF_TEST\n", i);
  }
  write("ask.c", defines + asking("net", rows));
  const bool asked = ask_with_every_compiler([&](std::istream& lines) {
    for (const test::ExportedCase& one : cases) {
      SCOPED_TRACE(one.name);
      const auto answers = computed(one.model, one.rows);
      std::size_t same = 0;
      for (const std::vector<double>& answer : answers) {
        int best = 0;
        lines >> best;
        bool all = true;
        for (const double right : answer) {
          double output = 0;
          ASSERT_TRUE(lines >> output);
          all = all && std::fabs(output - right) < 1e-5 * std::max(1.0, std::fabs(right));
        }
        same += all ? 1 : 0;
      }
      // A number that lies just between two levels may be rounded to either.
      EXPECT_GE(same * 20, answers.size() * 19);
    }
  });
  if (!asked) GTEST_SKIP() << "there is neither gcc nor clang";
}

TEST_F(Int8, HeadersAreAQuarterAndSayWhatTheyLose) {
  const Table table = test::table_of_all_kinds(200);
  const Model model(test::model_of_all_kinds(table, "kind", {20, 20}));
  const CHeader real = c_header(model, "net");
  const CHeader header = c_int8_header(model, "net", table);
  const LoweredModel lowered = lower(model);
  EXPECT_LT(header.constant_bytes, real.constant_bytes - 3 * lowered.nets.front().multiplications() + 300);
  EXPECT_LT(header.stack_bytes * 2, real.stack_bytes);
  EXPECT_EQ(header.multiplications, real.multiplications);
  const Int8Loss loss = calibrate(model, lowered, table).loss;
  EXPECT_THAT(header.text, HasSubstr("on the 200 rows it was calibrated with"));
  EXPECT_THAT(header.text, HasSubstr(fmt::format("of the model itself {:.6g}", *loss.error_before)));
  EXPECT_EQ(*loss.error_before, evaluate(model, table).metrics.error);
  Table unknown;
  for (const std::string name : {"age", "income"}) {
    std::vector<float> numbers(200);
    table.column(*table.find(name)).numbers(0, numbers);
    unknown.add_numbers(name, numbers);
  }
  for (const std::string name : {"city", "size", "when"}) {
    std::vector<std::string> texts;
    for (std::size_t row = 0; row < 200; ++row) texts.push_back(table.text(name, row));
    unknown.add_texts(name, texts);
  }
  EXPECT_THAT(c_int8_header(model, "net", unknown).text, Not(HasSubstr("error there")));
}

TEST_F(Int8, InputsThatAreScaledAlikeAreLevelledAlike) {
  const auto [model, pixels] = test::model_of_images();
  const QuantizedModel made = calibrate(model, lower(model), pixels).quantized;
  for (const InputScale& input : made.lowered.inputs) {
    EXPECT_EQ(input.offset, made.lowered.inputs.front().offset);
    EXPECT_EQ(input.factor, made.lowered.inputs.front().factor);
  }
  EXPECT_EQ(made.top_input_level, top_level);
}

TEST_F(Int8, OtherRowsHaveRoom) {
  const Table table = test::table_of_all_kinds(200);
  const Model model(test::model_of_all_kinds(table, "kind", {6}));
  const LoweredModel lowered = lower(model);
  const QuantizedModel made = calibrate(model, lowered, table).quantized;
  ASSERT_EQ(made.top_input_level, top_wide_level);
  std::vector<std::string> warnings;
  const Dataset data = encode(table, model.parts().encoding, false, warnings);
  const std::size_t age = lowered.features[0].first_input;
  ASSERT_EQ(lowered.features[0].name, "age");
  const QuantizedLayer& layer = made.nets[0].layers[0];
  double low = top_wide_level;
  double high = 0;
  std::vector<int> top(layer.units);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const std::vector<float> levels = levels_of(lowered, made, data.inputs.row(row));
    low = std::min<double>(low, levels[age]);
    high = std::max<double>(high, levels[age]);
    const std::vector<std::uint16_t> whole = whole_levels(made, levels);
    for (std::size_t j = 0; j < layer.units; ++j) {
      std::int32_t sum = layer.bias[j];
      for (std::size_t i = 0; i < layer.inputs; ++i)
        sum += layer.weights[j * layer.inputs + i] * whole[made.nets[0].inputs[i]];
      top[j] = std::max<int>(top[j], hidden_level(layer, made.activation, j, sum));
    }
  }
  EXPECT_NEAR(low, top_wide_level / 6, 0.01) << "a quarter of what the rows span";
  EXPECT_NEAR(high, top_wide_level * 5 / 6, 0.01);
  for (const int level : top) EXPECT_TRUE(level == 0 || level == 170) << level;
}

TEST_F(Int8, ManyRowsLeaveLessRoom) {
  const Table table =
      test::table_of_all_kinds(9000);  // of which not all are looked at, but those at the ends
  const Model model(test::model_of_all_kinds(test::table_of_all_kinds(200), "kind", {6}));
  const LoweredModel lowered = lower(model);
  const QuantizedModel made = calibrate(model, lowered, table).quantized;
  std::vector<std::string> warnings;
  const Dataset data = encode(table, model.parts().encoding, false, warnings);
  const std::size_t age = lowered.features[0].first_input;
  LevelRange range;
  for (std::size_t row = 0; row < data.rows(); ++row)
    range.take(levels_of(lowered, made, data.inputs.row(row))[age]);
  EXPECT_NEAR(range.low, top_wide_level * 0.02 / 1.04, 0.01);
  EXPECT_NEAR(range.high, top_wide_level * 1.02 / 1.04, 0.01);
}

TEST_F(Int8, WhatCannotBeIsOneSentence) {
  const Table table = test::table_of_all_kinds(50);
  const Model model(test::model_of_all_kinds(table, "kind", {3}));
  const auto refusal = [&](ExportOptions options) {
    return message_of([&] { export_model(model, options); });
  };
  EXPECT_THAT(refusal({.format = ExportFormat::c, .int8 = true}), HasSubstr("name them with `calibrate`"));
  EXPECT_THAT(refusal({.format = ExportFormat::json, .int8 = true}), HasSubstr("`int8` is for c"));
  EXPECT_THAT(refusal({.format = ExportFormat::c, .calibrate = table}),
              HasSubstr("`calibrate` is for `int8`"));
  const Table none = test::table_of_all_kinds(0);
  EXPECT_THAT(refusal({.format = ExportFormat::c, .int8 = true, .calibrate = none}),
              HasSubstr("has no rows"));
}

}  // namespace
}  // namespace coppice
