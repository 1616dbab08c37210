#pragma once

#include "coppice/api/options.h"
#include "coppice/core/random.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace coppice::test {

using Rows = std::vector<std::uint32_t>;

/// A ring around the origin: no linear model can tell. Also as the csv file that says the same.
struct Ring {
  explicit Ring(std::size_t rows, std::uint64_t seed = 1) {
    Random random(seed, Purpose::generator);
    for (std::size_t i = 0; i < rows; ++i) {
      x0.push_back(std::stof(fmt::format("{:.4f}", random.normal())));
      x1.push_back(std::stof(fmt::format("{:.4f}", random.normal())));
      label.push_back(x0[i] * x0[i] + x1[i] * x1[i] < 1.4F ? 1 : 0);
    }
  }
  Table table() const {
    Table all;
    all.add_numbers("x0", x0);
    all.add_numbers("x1", x1);
    all.add_numbers("label", label);
    return all;
  }
  std::string csv() const {
    std::string text = "x0,x1,label\n";
    for (std::size_t i = 0; i < label.size(); ++i) text += fmt::format("{},{},{}\n", x0[i], x1[i], label[i]);
    return text;
  }

  std::vector<float> x0;
  std::vector<float> x1;
  std::vector<int> label;
};

inline Table ring_table(std::size_t rows, std::uint64_t seed = 1) {
  return Ring(rows, seed).table();
}

/// A short training on a ring.
inline Options ring_options() {
  Options options;
  options.target = std::string("label");  // gcc 12 takes a plain literal for an overlap
  options.task = Task::classification;
  options.effort = Effort::quick;
  options.lambdas = {1e-3};
  options.max_epochs = 12;
  options.device = Device::cpu;
  options.threads = 2;
  return options;
}

/// A table of everything: numbers with gaps, texts with gaps, codes, a name for each row, a column that tells nothing,
/// and both kinds of target. Also as the csv file that says the same.
struct Mixed {
  explicit Mixed(std::size_t rows, std::uint64_t seed = 3) {
    Random random(seed, Purpose::generator);
    const double none = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < rows; ++i) {
      key.push_back(fmt::format("r{:04}", i));
      const double a = static_cast<double>(random.below(100'000)) / 1000 - 50;
      age.push_back(i % 11 == 3 ? none : a);
      count.push_back(static_cast<std::int64_t>(random.below(7)));
      city.push_back(i % 13 == 5 ? "" : cities()[random.below(4)]);
      grade.push_back(i % 17 == 2 ? -1 : static_cast<std::int32_t>(random.below(3)));
      noise.push_back(static_cast<float>(random.below(1000)) / 8);
      const double score = a / 30 + (city[i] == "Ulm" ? 1.5 : 0) - 0.2 * static_cast<double>(count[i]) +
                           (grade[i] == 2 ? 1 : 0);
      level.push_back(score > 0.8 ? 10 : score > -0.5 ? 2 : -1);
      word.emplace_back(level[i] == 10 ? "high" : level[i] == 2 ? "middle" : "low");
      value.push_back(std::round(1000 * (5 + 3 * score)) / 1000);
    }
  }
  static const std::vector<std::string>& cities() {
    static const std::vector<std::string> all{"Bonn", "Kiel", "Köln, am Rhein", "Ulm"};
    return all;
  }
  static const std::vector<std::string>& grades() {
    static const std::vector<std::string> all{"a", "b", "c"};
    return all;
  }
  std::size_t rows() const { return key.size(); }

  Table table() const {
    Table all;
    all.add_texts("key", key);
    all.add_numbers("age", age);
    all.add_numbers("count", count);
    all.add_texts("city", city);
    all.add_codes("grade", grade, grades());
    all.add_numbers("noise", noise);
    all.add_numbers("level", level);
    all.add_texts("word", word);
    all.add_numbers("value", value);
    return all;
  }

  std::string csv() const {
    std::string text = "key,age,count,city,grade,noise,level,word,value\n";
    for (std::size_t i = 0; i < rows(); ++i) {
      text += fmt::format("{},{},{},\"{}\",{},{},{},{},{}\n", key[i],
                          std::isnan(age[i]) ? "NA" : fmt::format("{}", age[i]), count[i], city[i],
                          grade[i] < 0 ? "" : grades()[static_cast<std::size_t>(grade[i])], noise[i],
                          level[i], word[i], value[i]);
    }
    return text;
  }

  std::vector<std::string> key;
  std::vector<double> age;
  std::vector<std::int64_t> count;
  std::vector<std::string> city;
  std::vector<std::int32_t> grade;
  std::vector<float> noise;
  std::vector<int> level;
  std::vector<std::string> word;
  std::vector<double> value;
};

/// Which of its targets a training on Mixed predicts; the others are left out.
inline Options mixed_options(const std::string& target) {
  Options options;
  options.target = target;
  options.ids = {"key"};
  for (const char* other : {"level", "word", "value"}) {
    if (target != other) options.ignore.emplace_back(other);
  }
  options.task = target == "value" ? Task::regression : Task::classification;
  options.effort = Effort::quick;
  options.lambdas = {1e-2, 1e-3};
  options.max_epochs = 15;
  options.device = Device::cpu;
  options.threads = 2;
  return options;
}

}  // namespace coppice::test
