// Many columns take as long as few, each: time is counted for so many and for four times as many.
#include "coppice/exports/export.h"

#include "tests/exports/exported_models.h"

#include <algorithm>
#include <ctime>
#include <functional>
#include <tuple>

#include <gtest/gtest.h>

namespace coppice {
namespace {

void add_numbers(Table& table, std::size_t column) {
  std::vector<double> numbers;
  for (std::size_t row = 0; row < 6; ++row) numbers.push_back(static_cast<double>((row * 7 + column) % 11));
  table.add_numbers(fmt::format("a column of numbers {}", column), numbers);
}

void add_texts(Table& table, std::size_t column) {
  table.add_codes(fmt::format("a column of texts {}", column), std::vector<std::int32_t>{0, 1, 0, 1, 1, 0},
                  {"no", "yes"});
}

Model wide_model(std::size_t columns, bool of_texts) {
  Table table;
  for (std::size_t c = 0; c < columns; ++c) of_texts ? add_texts(table, c) : add_numbers(table, c);
  table.add_numbers("price", std::vector<double>(6, 1));
  table.add_numbers("kind", std::vector<double>{0, 1, 2, 0, 1, 2});
  return Model(test::model_of_all_kinds(table, "kind", {2}, Activation::relu, Encode::plain));
}

/// Processor time, the least of three tries: what other programs do counts little.
double seconds_of(const std::function<void()>& work) {
  double least = 1e9;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t before = std::clock();
    work();
    least = std::min(least, static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
  }
  return least;
}

class WideExports : public ::testing::TestWithParam<std::tuple<ExportFormat, bool>> {};

TEST_P(WideExports, TakeTimeInProportion) {
  const auto [format, of_texts] = GetParam();
  const Model few = wide_model(4000, of_texts);
  const Model many = wide_model(16'000, of_texts);
  const auto work = [format = format](const Model& model) {
    return seconds_of([&] { export_model(model, {.format = format, .name = "net"}); });
  };
  // In proportion it is 4, with the square 16.
  EXPECT_LT(work(many), 8 * work(few) + 0.05);
}

INSTANTIATE_TEST_SUITE_P(OfEveryFormat, WideExports,
                         ::testing::Combine(::testing::Values(ExportFormat::json, ExportFormat::c,
                                                              ExportFormat::onnx),
                                            ::testing::Bool()));

}  // namespace
}  // namespace coppice
