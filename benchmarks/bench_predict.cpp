// Predicting with a model of 50 columns and 100-50 hidden units: one row, as a server gets them, and many.
#include "coppice/model/model.h"
#include "coppice/model/parts.h"

#include <string>
#include <vector>

#include <benchmark/benchmark.h>

namespace coppice {
namespace {

constexpr std::size_t columns = 50;
constexpr std::size_t classes = 10;

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < columns; ++i) all.push_back("a column's name " + std::to_string(i));
  return all;
}

Model make_model() {
  ModelParts parts;
  for (const std::string& name : names()) parts.encoding.columns.push_back({.name = name, .categories = {}});
  for (std::size_t k = 0; k < classes; ++k) parts.encoding.target.classes.push_back(std::to_string(k));
  parts.encoding.offset.resize(columns);
  parts.encoding.factor.assign(columns, 1);
  parts.network = make_network<float>({.inputs = columns, .outputs = classes, .hidden = {100, 50}}, 1);
  for (const Layer<float>& layer : parts.network.layers) {
    parts.statistics.mean.emplace_back(layer.weights.rows(), 0.1F);
    parts.statistics.divisor.emplace_back(layer.weights.rows(), 2.0F);
  }
  return Model(std::move(parts));
}

/// The table is there, or is made of numbers each time.
template <bool MakesTable>
void predict(benchmark::State& state) {
  const Model model = make_model();
  Matrix<float> values(static_cast<std::size_t>(state.range(0)), columns);
  for (std::size_t i = 0; i < values.rows(); ++i) {
    for (std::size_t c = 0; c < columns; ++c) values(i, c) = static_cast<float>((i * 7 + c * 13) % 29) - 14;
  }
  const std::vector<std::string> all = names();
  const Table table = Table::matrix(values, all);
  for ([[maybe_unused]] auto _ : state) {  // NOLINT(clang-analyzer-deadcode.DeadStores)
    benchmark::DoNotOptimize(model.predict(MakesTable ? Table::matrix(values, all) : table));
  }
}

#define COPPICE_PREDICT(name, makes)  \
  BENCHMARK(predict<makes>)           \
      ->Name(name)                    \
      ->Arg(1)                        \
      ->Arg(100)                      \
      ->Arg(100000)                   \
      ->Unit(benchmark::kMicrosecond) \
      ->UseRealTime()
COPPICE_PREDICT("predict", false);
COPPICE_PREDICT("table_and_predict", true);

}  // namespace
}  // namespace coppice

BENCHMARK_MAIN();
