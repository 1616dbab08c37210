#pragma once

#include "coppice/model/parts.h"

#include "tests/analysis/explained_models.h"

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace coppice::test {

/// A model and rows to ask it about.
struct ExportedCase {
  std::string name;
  Model model;
  Table rows;
};

/// What rows may hold that training never saw: other texts, numbers far out, gaps everywhere, dates before all others.
inline Table odd_rows() {
  const double none = std::numeric_limits<double>::quiet_NaN();
  Table table;
  table.add_numbers("age", std::vector<double>{none, -1e6, 1e20, 0, 40, 41.5});
  table.add_numbers("income", std::vector<double>{none, 1e6, -1e20, 0, 1, none});
  table.add_texts("city", std::vector<std::string>{"", "Rome", "Ulm", "ulm", "Kiel", "Bonn"});
  table.add_texts("size", std::vector<std::string>{"", "LARGE", "huge", "small", "Medium", "large"});
  table.add_texts("when",
                  std::vector<std::string>{"", "1969-12-31", "2030-02-28", "2024-02-29", "", "2024-07-01"});
  table.add_texts("kind", std::vector<std::string>(6, "a"));
  table.add_numbers("price", std::vector<double>(6, 100));
  return table;
}

/// A second net for an ensemble: like the first, with other weights, taking only inputs that are no bins.
inline ModelNet plain_net(const ModelParts& parts, std::vector<std::size_t> hidden) {
  ModelNet net;
  net.plain = true;
  net.network = make_network<float>({.inputs = parts.encoding.plain_inputs().size(),
                                     .outputs = parts.network.outputs(),
                                     .hidden = std::move(hidden),
                                     .activation = parts.network.activation},
                                    11);
  net.network.offset = parts.network.offset;
  for (const Layer<float>& layer : net.network.layers) {
    net.statistics.mean.emplace_back(layer.weights.rows(), 0.25F);
    net.statistics.divisor.emplace_back(layer.weights.rows(), 1.5F);
  }
  return net;
}

inline ModelParts ensemble_of_all_kinds(const Table& table, const std::string& target) {
  ModelParts parts = model_of_all_kinds(table, target, {7, 4});
  parts.others = {plain_net(parts, {5}), plain_net(parts, {})};
  parts.others.front().network.offset.clear();
  if (!parts.network.offset.empty()) parts.others.front().network.offset = {0, -1, -2};
  return parts;
}

/// Columns of moments and of times of day, with offsets from UTC.
inline Table moments_table() {
  Table table;
  std::vector<std::string> when;
  std::vector<std::string> time;
  std::vector<double> y;
  for (int i = 0; i < 60; ++i) {
    when.push_back(i % 7 == 3 ? ""
                              : fmt::format("20{:02}-{:02}-{:02}T{:02}:{:02}:30{}", 5 + i % 30, 1 + i % 12,
                                            1 + i % 28, i % 24, i, i % 2 == 0 ? "Z" : "+02:00"));
    time.push_back(i % 11 == 5 ? "?" : fmt::format("{:02}:{:02}", i % 24, i));
    y.push_back(i % 3);
  }
  table.add_texts("when", when);
  table.add_texts("time", time);
  table.add_numbers("kind", y);
  table.add_numbers("price", y);
  return table;
}

/// Seconds since 1970 and numbers below 0, some of them missing, which float32 cannot tell apart.
inline Table large_numbers_table() {
  Table table;
  std::vector<double> seconds;
  std::vector<double> debts;
  std::vector<double> y;
  for (int i = 0; i < 60; ++i) {
    seconds.push_back(i % 7 == 3 ? std::numeric_limits<double>::quiet_NaN() : 1.7e9 + i * 37 % 61);
    debts.push_back(-123'456'789.25 - 0.25 * (i * 11 % 60));
    y.push_back(i % 3);
  }
  table.add_numbers("seconds", seconds);
  table.add_numbers("debts", debts);
  table.add_numbers("few", y);
  table.add_numbers("kind", y);
  table.add_numbers("price", y);
  return table;
}

/// A text, gaps and steps that are the same in nearly all rows, so that the inputs made of them have large factors; the rows that
/// are not are few.
inline Table usual_table(int rows) {
  Table table;
  std::vector<std::string> usual;
  std::vector<double> gone;
  std::vector<double> steps;
  std::vector<double> y;
  for (int i = 0; i < rows; ++i) {
    usual.emplace_back(i % 4000 == 7 ? "no" : "yes");
    gone.push_back(i % 3000 == 8 ? i : std::numeric_limits<double>::quiet_NaN());
    steps.push_back(i % 5000 == 9 ? -30'000 : i * 7 % 10);
    y.push_back(i % 3);
  }
  table.add_texts("usual", usual);
  table.add_numbers("gone", gone);
  table.add_numbers("steps", steps);
  table.add_numbers("kind", y);
  table.add_numbers("price", y);
  return table;
}

/// Images that are scaled alike, one pixel of which never varies.
inline std::pair<Model, Table> model_of_images() {
  Table table;
  Random random(9, Purpose::generator);
  for (std::size_t p = 0; p < 12; ++p) {
    std::vector<double> pixels;
    for (int i = 0; i < 40; ++i) pixels.push_back(p == 5 ? 7.0 : static_cast<double>(random.below(256)));
    table.add_numbers(fmt::format("pixel{}", p + 1), pixels);
  }
  std::vector<double> label;
  for (int i = 0; i < 40; ++i) label.push_back(i % 3);
  table.add_numbers("kind", label);
  table.add_numbers("price", label);
  table.set_image(3, 4);
  ModelParts parts = model_of_all_kinds(table, "kind", {6}, Activation::relu, Encode::plain);
  return {Model(std::move(parts)), table};
}

/// Every kind of model there is.
inline std::vector<ExportedCase> exported_cases() {
  std::vector<ExportedCase> cases;
  const Table table = table_of_all_kinds(200);
  const auto add = [&](const std::string& name, const ModelParts& parts, const Table& rows) {
    cases.push_back({name, Model(parts), rows});
  };
  for (const Activation activation :
       {Activation::relu, Activation::leaky_relu, Activation::abs, Activation::tanh, Activation::identity})
    add("classes, " + name_of(activation), model_of_all_kinds(table, "kind", {6, 5}, activation), table);
  ModelParts no_temperature = model_of_all_kinds(table, "kind", {4});
  no_temperature.temperature = 1;
  no_temperature.network.offset.clear();
  add("neither temperature nor base rates", no_temperature, table);
  add("odd rows", model_of_all_kinds(table, "kind", {6, 5}), odd_rows());
  add("numbers", model_of_all_kinds(table, "price", {5}), table);
  add("numbers, odd rows", model_of_all_kinds(table, "price", {}), odd_rows());
  ModelParts logarithms = model_of_all_kinds(table, "price", {5});
  logarithms.encoding.target.transform = TargetTransform::log;
  logarithms.encoding.target.mean = 1.5;
  logarithms.encoding.target.deviation = 0.4;
  add("logarithms", logarithms, table);
  add("logarithms beyond the ceiling", logarithms, odd_rows());
  add("nets of bins and plain ones", ensemble_of_all_kinds(table, "kind"), table);
  add("nets of bins and plain ones, odd rows", ensemble_of_all_kinds(table, "kind"), odd_rows());
  add("several nets of numbers", ensemble_of_all_kinds(table, "price"), table);
  add("moments and times", model_of_all_kinds(moments_table(), "kind", {5}), moments_table());
  add("large numbers", model_of_all_kinds(large_numbers_table(), "kind", {5}), large_numbers_table());
  const auto [images, pixels] = model_of_images();
  cases.push_back({"images", images, pixels});
  add("inputs that hardly vary", model_of_all_kinds(usual_table(20'000), "kind", {6, 5}), usual_table(40));
  return cases;
}

}  // namespace coppice::test
