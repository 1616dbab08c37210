#include "tests/cli/program.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>

#include <fmt/format.h>

namespace coppice::test {
namespace {

using Vector = std::vector<double>;
using Cells = std::map<std::string, std::string>;

bool is_missing(const std::string& cell) {
  return cell.empty() || cell == "NA" || cell == "?";
}

/// A network built from what `inspect --json --weights` prints and from docs/model-format.md, nothing else.
class Rebuilt {
 public:
  explicit Rebuilt(Json json) : json_(std::move(json)) {}

  Vector inputs(const Cells& row) const {
    Vector raw;
    for (const Json& column : json_["encoding"]["columns"]) {
      const std::string& cell = row.at(column["name"]);
      if (column["kind"] == "text") {
        const auto categories = column["categories"].get<std::vector<std::string>>();
        const std::string text = is_missing(cell) ? "" : cell;
        const auto at = static_cast<std::size_t>(std::ranges::find(categories, text) - categories.begin());
        for (std::size_t k = 0; k <= categories.size(); ++k) raw.push_back(k == at ? 1 : 0);
        continue;
      }
      const double x = is_missing(cell) ? column["fill"].get<double>() : std::stod(cell);
      raw.push_back(column.contains("squash") ? squashed(x, column["squash"]) : x);
      if (column["indicator"]) raw.push_back(is_missing(cell) ? 1 : 0);
      const auto edges = column.value("edges", Vector());
      for (std::size_t t = 1; t < edges.size(); ++t)
        raw.push_back(std::clamp((x - edges[t - 1]) / (edges[t] - edges[t - 1]), 0.0, 1.0));
    }
    EXPECT_EQ(raw.size(), json_["inputs"].size());
    for (std::size_t i = 0; i < raw.size(); ++i) {
      raw[i] = (raw[i] - json_["input_offset"][i].get<double>()) * json_["input_factor"][i].get<double>();
    }
    return raw;
  }

  Vector outputs(const Cells& row) const {
    Vector x = inputs(row);
    const Json& layers = json_["layers"];
    for (std::size_t l = 0; l < layers.size(); ++l) {
      Vector next;
      for (std::size_t j = 0; j < layers[l]["units"]; ++j) {
        const auto fan_in = layers[l]["fan_in"][j].get<Vector>();
        double y = std::inner_product(x.begin(), x.end(), fan_in.begin(), 0.0);
        y = (y - layers[l]["mean"][j].get<double>()) / layers[l]["divisor"][j].get<double>();
        if (layers[l].contains("scale"))
          y = layers[l]["scale"][j].get<double>() * y + layers[l]["shift"][j].get<double>();
        next.push_back(l + 1 < layers.size() ? activated(y) : y);
      }
      x = next;
    }
    return x;
  }

  Vector probabilities(const Cells& row) const {
    Vector p = outputs(row);
    for (std::size_t k = 0; k < p.size(); ++k) {
      if (json_.contains("class_offset")) p[k] += json_["class_offset"][k].get<double>();
    }
    const double top = *std::ranges::max_element(p);
    for (double& score : p) score = std::exp((score - top) / json_["temperature"].get<double>());
    const double total = std::accumulate(p.begin(), p.end(), 0.0);
    for (double& value : p) value /= total;
    return p;
  }

  std::string class_of(const Vector& p) const {
    return json_["encoding"]["target"]["classes"]
                [static_cast<std::size_t>(std::ranges::max_element(p) - p.begin())];
  }

  double value(const Cells& row) const {
    const Json& target = json_["encoding"]["target"];
    const double y = target["mean"].get<double>() + target["deviation"].get<double>() * outputs(row)[0];
    return target.value("transform", "none") == "log" ? std::exp(y) : y;
  }

 private:
  static double squashed(double x, const Json& squash) {
    const double z = (x - squash["median"].get<double>()) * squash["factor"].get<double>();
    return z / std::sqrt(1 + std::pow(z / squash["limit"].get<double>(), 2));
  }

  double activated(double y) const {
    if (json_["activation"] == "relu") return std::max(0.0, y);
    if (json_["activation"] == "leaky-relu") return y > 0 ? y : 0.01 * y;
    EXPECT_EQ(json_["activation"], "tanh");
    return std::tanh(y);
  }

  Json json_;
};

/// Rows of a csv without quotes, by the names in its first line.
std::vector<Cells> rows_of(const std::string& csv) {
  std::vector<std::vector<std::string>> cells = cells_of(csv);
  std::vector<Cells> rows;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    cells[i].resize(cells[0].size());  // an empty last cell
    Cells& row = rows.emplace_back();
    for (std::size_t c = 0; c < cells[0].size(); ++c) row[cells[0][c]] = cells[i][c];
  }
  return rows;
}

class Inspect : public Program {
 protected:
  /// The network of a run, and what the program predicts for a file.
  Rebuilt rebuilt(const std::string& run) const {
    return Rebuilt(ok({"inspect", run, "--json", "--weights"}).json());
  }
  std::vector<Cells> predicted(const std::string& run, const std::string& file) const {
    return rows_of(ok({"predict", run, file}).out);
  }
};

TEST_F(Inspect, ANetBuiltFromItsJsonPredictsClassesAsTheProgramDoes) {
  write("d.csv", mixed_csv(400));
  std::string fresh = mixed_csv(60, 7);
  fresh += "new,0.5,,violet,cat\nnew,,0.25,,dog\nnew,-300,1e3,red,dog\n";  // unknown, missing, far away
  write("fresh.csv", fresh);
  for (const Arguments& flags :
       {Arguments{}, Arguments{"--encode", "bins"}, Arguments{"--encode", "bins", "--scale", "standard"},
        Arguments{"--scale", "standard"}, Arguments{"--activation", "leaky-relu", "--prior-offset", "off"},
        Arguments{"--fixed-size", "7", "--norm", "batchnorm-affine", "--optimizer", "adam", "--activation",
                  "tanh", "--scale", "none"}}) {
    SCOPED_TRACE(::testing::PrintToString(flags));
    ok(Arguments{"train", "d.csv", "--target", "kind", "--id", "id", "--max-epochs", "8", "--seeds", "1",
                 "--quiet", "-o", "run"} +
       flags);
    const Rebuilt net = rebuilt("run");
    const std::vector<Cells> rows = rows_of(fresh);
    const std::vector<Cells> program = predicted("run", "fresh.csv");
    ASSERT_EQ(program.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Vector p = net.probabilities(rows[i]);
      EXPECT_EQ(program[i].at("id"), rows[i].at("id"));
      EXPECT_NEAR(std::stod(program[i].at("probability_cat")), p[0], 2e-5) << i;
      EXPECT_NEAR(std::stod(program[i].at("probability_dog")), p[1], 2e-5) << i;
      if (std::abs(p[0] - p[1]) > 1e-4) {
        EXPECT_EQ(program[i].at("prediction"), net.class_of(p)) << i;
      }
    }
    std::filesystem::remove_all(path("run"));
  }
}

TEST_F(Inspect, ANetBuiltFromItsJsonPredictsNumbersAsTheProgramDoes) {
  write("d.csv", linear_csv(300));
  write("fresh.csv", "x1,x0\n0.5,-0.25\n1,1\n-40,7\n0,0\n");
  ok({"train", "d.csv", "--target", "y", "--task", "regression", "--max-epochs", "10", "--encode", "bins",
      "--quiet", "-o", "run"});
  const Rebuilt net = rebuilt("run");
  const std::vector<Cells> rows = rows_of(read("fresh.csv"));
  const std::vector<Cells> program = predicted("run", "fresh.csv");
  ASSERT_EQ(program.size(), 4U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double value = net.value(rows[i]);
    EXPECT_NEAR(std::stod(program[i].at("prediction")), value, 1e-5 * std::max(1.0, std::abs(value))) << i;
  }
}

TEST_F(Inspect, WhatIsMadeOfDatesAndOrdersAndLogarithmsIsInTheModelAndPredictsAsInTraining) {
  std::string csv = "when,size,price\n";
  for (int i = 0; i < 300; ++i) {
    const char* size = i % 3 == 0 ? "small" : i % 3 == 1 ? "medium" : "large";
    csv += fmt::format("2024-{:02}-{:02}T{:02}:15:00Z,{},{:.4f}\n", 1 + i % 12, 1 + i % 28, i % 24, size,
                       std::exp((i % 3) * 1.5 + (i % 24) * 0.1 + (i * 7 % 11) * 0.05));
  }
  write("d.csv", csv);
  const std::string said = ok({"train", "d.csv", "--target", "price", "--max-epochs", "10",
                               "--target-transform", "log", "--lambda", "1e-3", "-o", "run"})
                               .out;
  const Json json = ok({"inspect", "run/model.coppice", "--json", "--weights"}).json();
  EXPECT_EQ(json["encoding"]["target"]["transform"], "log");
  EXPECT_EQ(json["encoding"]["derived"].size(), 2U);
  const std::string shown = ok({"inspect", "run/model.coppice"}).out;
  EXPECT_THAT(shown, ::testing::AllOf(::testing::HasSubstr("when hour"),
                                      ::testing::HasSubstr("small < medium < large"),
                                      ::testing::HasSubstr("of logarithms")));
  for (const Cells& row : predicted("run", "d.csv")) EXPECT_GT(std::stod(row.at("prediction")), 0);
  ok({"evaluate", "run", "d.csv"});
}

}  // namespace
}  // namespace coppice::test
