// The figures of docs/performance.md: ratios, each between contestants that take turns in this one run.
#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/device/product.h"

#include "benchmarks/measures.h"
#include "benchmarks/program.h"

#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

namespace coppice {
namespace {

constexpr const char* usage =
    "Usage: bench_summary [--json FILE] [--rounds N]\n\n"
    "Measures what an epoch costs beside its matrix products and prints it as tables; takes a minute or two\n"
    "on a machine that does nothing else.\n";

void note(const char* what) {
  fmt::print(stderr, "measuring {} ...\n", what);
}

void run(const std::string& json_file, const Plan& plan) {
  std::vector<Figure> figures;
  note("epochs");
  figures = epoch_figures(plan);
  note("small products");
  figures.push_back(poker_figure(plan));
  note("populations");
  figures.push_back(population_figure(plan));
  note("additions and removals");
  figures.push_back(resize_figure(plan));
  note("updates");
  std::vector<Series> series{cost_series(plan)};
  note("precisions");
  series.push_back(precision_series(plan));
  note("scaling");
  series.push_back(rows_series(plan));
  series.push_back(width_series(plan));
  series.push_back(nets_series(plan));

  fmt::print("{}, {} threads\n\n{}", product_library(), plan.threads, figures_text(figures));
  for (const Series& s : series) fmt::print("\n{}", series_text(s));
  if (!json_file.empty()) write_file(json_file, figures_json(figures, series).dump(2) + "\n");
}

void measure(const Flags& flags) {
  if (std::thread::hardware_concurrency() < 2) fail("needs a machine with two cores");
  Plan plan;
  plan.rounds = count_of(flags, "--rounds", plan.rounds);
  run(flags.contains("--json") ? flags.at("--json") : "", plan);
}

}  // namespace
}  // namespace coppice

int main(int argc, char** argv) {
  return coppice::run_program(argc, argv, coppice::usage, {"--json", "--rounds"}, coppice::measure);
}
