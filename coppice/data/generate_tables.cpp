#include "coppice/data/generate.h"
#include "coppice/data/generate_row.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

namespace coppice {

namespace {

struct MadeRow {
  std::vector<double> inputs = {};
  int label = 0;
};

/// Normal inputs around `mean`, all of the same deviation.
std::vector<double> around(Random& random, std::size_t inputs, double mean, double deviation) {
  std::vector<double> row(inputs);
  for (double& x : row) x = mean + deviation * random.normal();
  return row;
}

constexpr std::size_t norm_inputs = 20;

MadeRow twonorm(Random& random) {
  const int label = whole_between(random, 0, 1);
  const double mean = 2 / std::sqrt(static_cast<double>(norm_inputs));
  return {around(random, norm_inputs, label == 1 ? mean : -mean, 1), label};
}

MadeRow ringnorm(Random& random) {
  const int label = whole_between(random, 0, 1);
  const double mean = 1 / std::sqrt(static_cast<double>(norm_inputs));
  return {label == 1 ? around(random, norm_inputs, mean, 1) : around(random, norm_inputs, 0, 2), label};
}

MadeRow waveform(Random& random) {
  constexpr int inputs = 21;
  const auto triangle = [](int wave, int i) {
    constexpr std::array<int, 3> tops{11, 15, 7};
    return std::max(0.0, 6.0 - std::abs(i - tops[static_cast<std::size_t>(wave)]));
  };
  const int label = whole_between(random, 0, 2);
  const double share = random.uniform();
  MadeRow row{.label = label};
  for (int i = 1; i <= inputs; ++i)
    row.inputs.push_back(share * triangle(label, i) + (1 - share) * triangle((label + 1) % 3, i) +
                         random.normal());
  return row;
}

/// Whether the number of inputs above the threshold, of the first so many, is odd.
bool is_odd(const std::vector<double>& inputs, std::size_t count, double threshold) {
  return std::count_if(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(count),
                       [&](double x) { return x > threshold; }) %
             2 !=
         0;
}

MadeRow exclusive_or(Random& random) {
  constexpr std::size_t inputs = 10;
  constexpr std::size_t bits = 3;
  MadeRow row{.inputs = std::vector<double>(inputs)};
  for (double& x : row.inputs) x = between(random, -1, 1);
  row.label = is_odd(row.inputs, bits, 0) ? 1 : 0;
  return row;
}

MadeRow spirals(Random& random) {
  constexpr double turns = 1.75;
  constexpr double noise = 0.05;
  const int label = whole_between(random, 0, 1);
  const double along = between(random, 0.1, 1);
  const double angle = 2 * std::numbers::pi * turns * along + std::numbers::pi * label;
  return {
      {along * std::cos(angle) + noise * random.normal(), along * std::sin(angle) + noise * random.normal()},
      label};
}

MadeRow parity(Random& random) {
  constexpr std::size_t inputs = 16;
  constexpr std::size_t bits = 5;
  constexpr double wrong = 0.1;
  MadeRow row{.inputs = std::vector<double>(inputs)};
  for (double& x : row.inputs) x = whole_between(random, 0, 1);
  row.label = is_odd(row.inputs, bits, 0.5) != (random.uniform() < wrong) ? 1 : 0;
  return row;
}

template <class Make>
std::string table_of(std::size_t rows, std::uint64_t seed, std::size_t first, GeneratorKind kind,
                     const Make& make) {
  std::string text;
  for (std::size_t at = first; at < first + rows; ++at) {
    Random random = row_random(seed, kind, at);
    const MadeRow row = make(random);
    if (at == 0) {
      for (std::size_t i = 1; i <= row.inputs.size(); ++i) text += fmt::format("x{},", i);
      text += "label\n";
    }
    for (const double x : row.inputs)
      text += x == std::floor(x) ? fmt::format("{:.0f},", x) : fmt::format("{:.4f},", x);
    text += fmt::format("{}\n", row.label);
  }
  return text;
}

}  // namespace

std::string generate_twonorm(std::size_t rows, std::uint64_t seed, std::size_t first) {
  return table_of(rows, seed, first, GeneratorKind::twonorm, twonorm);
}
std::string generate_ringnorm(std::size_t rows, std::uint64_t seed, std::size_t first) {
  return table_of(rows, seed, first, GeneratorKind::ringnorm, ringnorm);
}
std::string generate_waveform(std::size_t rows, std::uint64_t seed, std::size_t first) {
  return table_of(rows, seed, first, GeneratorKind::waveform, waveform);
}
std::string generate_xor(std::size_t rows, std::uint64_t seed, std::size_t first) {
  return table_of(rows, seed, first, GeneratorKind::exclusive_or, exclusive_or);
}
std::string generate_spirals(std::size_t rows, std::uint64_t seed, std::size_t first) {
  return table_of(rows, seed, first, GeneratorKind::spirals, spirals);
}
std::string generate_parity(std::size_t rows, std::uint64_t seed, std::size_t first) {
  return table_of(rows, seed, first, GeneratorKind::parity, parity);
}

}  // namespace coppice
