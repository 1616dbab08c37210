// The figures of docs/performance.md: ratios, each between contestants that take turns in this one run.
#include "coppice/core/error.h"
#include "coppice/core/file.h"
#include "coppice/device/product.h"

#include "benchmarks/measures.h"

#include <cstdio>
#include <exception>
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

int main_of(const std::vector<std::string>& arguments) {
  std::string json_file;
  Plan plan;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--help") {
      fmt::print("{}", usage);
      return 0;
    }
    if (i + 1 == arguments.size()) fail("bench_summary: {} needs a value, or is unknown", arguments[i]);
    if (arguments[i] == "--json") {
      json_file = arguments[++i];
    } else if (arguments[i] == "--rounds") {
      plan.rounds = std::stoul(arguments[++i]);
    } else {
      fail("bench_summary: {} is unknown; --help says what is known", arguments[i]);
    }
  }
  if (std::thread::hardware_concurrency() < 2) fail("bench_summary: needs a machine with two cores");
  run(json_file, plan);
  return 0;
}

}  // namespace
}  // namespace coppice

int main(int argc, char** argv) {
  try {
    return coppice::main_of({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
