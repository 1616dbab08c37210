// Times on a GPU: epochs of the nets that docs/performance.md speaks of, and what the parts of a step take.
#include "coppice/core/fail.h"
#include "coppice/core/names.h"
#include "coppice/device/gpu.h"

#include "benchmarks/cuda/measure.h"
#include "benchmarks/figures.h"
#include "benchmarks/program.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace coppice {
namespace {

constexpr const char* usage =
    "Usage: coppice-bench-cuda [--precision fp32|tf32|bf16] [--epochs N] [--only PART]\n\n"
    "Prints what the parts of a step take and milliseconds per epoch (medians of N) on the first GPU.\n"
    "PART: parts, one, thirty, poker, or nothing, which only tells whether there is a GPU.\n";

Figure in_milliseconds(const std::string& name, Spread time, double must, double aim) {
  return {name, {time.median * 1e3, time.low * 1e3, time.high * 1e3}, must, aim};
}

Series parts_series(const std::string& name, const std::vector<Part>& parts) {
  Series series{name, {"part of a step", "us", "TFLOP/s", "GB/s"}, {}};
  for (const Part& part : parts) {
    series.rows.push_back(
        {part.name, fmt::format("{:.1f}", part.seconds * 1e6),
         part.operations > 0 ? fmt::format("{:.0f}", part.operations / part.seconds * 1e-12) : "-",
         part.bytes > 0 ? fmt::format("{:.0f}", part.bytes / part.seconds * 1e-9) : "-"});
  }
  return series;
}

/// What to measure; all of it by default.
struct Choice {
  std::string only;
  bool wants(const char* name) const { return only.empty() || only == name; }
  bool known() const {
    return only.empty() ||
           std::ranges::count(std::array{"parts", "one", "thirty", "poker", "nothing"}, only) == 1;
  }
};

void run(Precision precision, std::size_t epochs, const Choice& choice) {
  constexpr std::size_t many = 30;
  constexpr double datasheet = 495e12;  // tf32, dense, of an H100 or H200
  const Workload mnist = mnist_net();
  fmt::print("{}, {}\n\n", gpu_status().text, name_of(precision));
  if (choice.wants("parts")) {
    fmt::print("{}\n",
               series_text(parts_series("30 nets 784-200-40-10", step_parts(mnist, many, precision))));
    fmt::print("{}\n", series_text(parts_series("1 net 784-200-40-10", step_parts(mnist, 1, precision))));
  }
  std::vector<Figure> figures;
  if (choice.wants("one")) {
    figures.push_back(
        in_milliseconds("one net, ms per epoch", epoch_time(mnist, 1, precision, 1, epochs), 8, 3));
  }
  std::optional<Spread> thirty;
  if (choice.wants("thirty")) {
    thirty = epoch_time(mnist, many, precision, 1, epochs);
    figures.push_back(in_milliseconds("30 nets, ms per epoch", *thirty, 25, 12));
  }
  if (choice.wants("poker")) {
    Workload poker = poker_net();
    poker.rows = 800'000;
    poker.validation_rows = 125'010;
    const Spread time = epoch_time(poker, 4, precision, 10, std::max<std::size_t>(3, epochs / 10));
    figures.push_back(in_milliseconds("poker, 4 nets, ms per epoch", time, 1000, 300));
  }
  if (!figures.empty()) fmt::print("{}", figures_text(figures));
  if (!thirty) return;
  const double rate = 2 * mnist.multiplications() * many / thirty->median;
  fmt::print("\n30 nets: {:.0f} TFLOP/s over the whole epoch, {:.0f} % of the datasheet's tf32 rate\n",
             rate * 1e-12, 100 * rate / datasheet);
}

void measure(const Flags& flags) {
  const std::string name = flags.contains("--precision") ? flags.at("--precision") : "tf32";
  const std::optional<Precision> precision = from_name<Precision>(name);
  if (!precision) fail("--precision {}: must be fp32, tf32 or bf16", name);
  const std::size_t epochs = count_of(flags, "--epochs", 100);
  const Choice choice{flags.contains("--only") ? flags.at("--only") : ""};
  if (!choice.known()) fail("--only {}: must be parts, one, thirty, poker or nothing", choice.only);
  if (!gpu_status().usable) fail("{}", gpu_status().text);
  run(*precision, epochs, choice);
}

}  // namespace
}  // namespace coppice

int main(int argc, char** argv) {
  return coppice::run_program(argc, argv, coppice::usage, {"--precision", "--epochs", "--only"},
                              coppice::measure);
}
