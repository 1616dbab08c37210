#pragma once

#include "coppice/core/random.h"
#include "coppice/data/encoding.h"
#include "coppice/model/parts.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace coppice::test {

/// Numbers with gaps and bins, categories with gaps, words with an order, dates, and targets of both kinds.
inline Table table_of_all_kinds(std::size_t rows) {
  Random random(5, Purpose::generator);
  const double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> age;
  std::vector<double> income;
  std::vector<std::string> city;
  std::vector<std::string> size;
  std::vector<std::string> when;
  std::vector<std::string> kind;
  std::vector<double> price;
  for (std::size_t i = 0; i < rows; ++i) {
    age.push_back(i % 9 == 4 ? none : 40 + 12 * random.normal());
    income.push_back(std::exp(random.normal()));
    city.push_back(i % 7 == 3 ? "" : std::vector<std::string>{"Ulm", "Bonn", "Kiel"}[random.below(3)]);
    size.push_back(std::vector<std::string>{"small", "medium", "large"}[random.below(3)]);
    when.push_back(fmt::format("2024-{:02}-{:02}", 1 + random.below(12), 1 + random.below(28)));
    kind.push_back(std::vector<std::string>{"a", "b", "c"}[random.below(3)]);
    price.push_back(100 + 20 * random.normal());
  }
  Table table;
  table.add_numbers("age", age);
  table.add_numbers("income", income);
  table.add_texts("city", city);
  table.add_texts("size", size);
  table.add_texts("when", when);
  table.add_texts("kind", kind);
  table.add_numbers("price", price);
  return table;
}

/// A model of random weights that takes such a table.
inline ModelParts model_of_all_kinds(const Table& table, const std::string& target,
                                     std::vector<std::size_t> hidden,
                                     Activation activation = Activation::relu, Encode encode = Encode::bins) {
  EncodingOptions options{.target = target,
                          .ignore = {target == "kind" ? "price" : "kind"},
                          .ids = {},
                          .categorical = {},
                          .task = {},
                          .scaling = {},
                          .encode = encode};
  std::vector<std::string> said;
  const TrainingPlan plan = plan_training(table, options, said, said);
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < table.rows(); ++row) rows.push_back(row);
  ModelParts parts;
  parts.encoding = fit_encoding(table, plan, options, rows, said, said);
  const bool classes = parts.encoding.task == Task::classification;
  parts.network = make_network<float>({.inputs = parts.encoding.inputs(),
                                       .outputs = classes ? parts.encoding.target.classes.size() : 1,
                                       .hidden = std::move(hidden),
                                       .activation = activation},
                                      3);
  if (classes) parts.network.offset = {-1, -0.5, -2};
  Random random(7, Purpose::generator);
  for (const Layer<float>& layer : parts.network.layers) {
    auto& mean = parts.statistics.mean.emplace_back();
    auto& divisor = parts.statistics.divisor.emplace_back();
    for (std::size_t j = 0; j < layer.weights.rows(); ++j) {
      mean.push_back(static_cast<float>(0.5 * random.normal()));
      divisor.push_back(static_cast<float>(0.3 + random.uniform()));
    }
  }
  parts.temperature = 1.5;
  return parts;
}

}  // namespace coppice::test
