#include "coppice/core/text.h"
#include "coppice/device/gpu.h"
#include "coppice/device/processor.h"
#include "coppice/report/html.h"

#include "experiments/costs.h"
#include "experiments/entries.h"
#include "experiments/page.h"
#include "experiments/picture.h"
#include "experiments/stored.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

std::string nanoseconds(double seconds, const char* none = "-") {
  return std::isfinite(seconds) ? fmt::format("{:.3f}", 1e9 * seconds) : none;
}

const Cost& cost_of(const std::vector<Cost>& costs, const char* name) {
  return *std::ranges::find_if(costs, [&](const Cost& cost) { return cost.method.name == name; });
}

Claim same_counts(const std::vector<Cost>& costs) {
  std::vector<std::string> different;
  std::size_t compared = 0;
  for (const Cost& cost : costs) {
    if (!cost.method.paper) continue;
    ++compared;
    if (cost.needed() != *cost.method.paper)
      different.push_back(fmt::format("{}: {}", cost.method.name, operations_text(cost.needed())));
  }
  return {"the counts of table 1",
          different.empty() ? fmt::format("all {} the same, counted from the formulas below", compared)
                            : joined(different, "; "),
          by_rule(different.empty(), "counted")};
}

constexpr const char* fastest = "the fastest of some thousand steps of each, which no chance makes faster";

Claim graceful(const std::vector<Cost>& costs) {
  const double sgd = cost_of(costs, "SGD").seconds;
  const double adarad = cost_of(costs, "AdaRad with shrinkage").seconds;
  const double rmsprop = cost_of(costs, "RMSprop").seconds;
  return {"AdaRad costs more than SGD but less than RMSprop, whose square root and division are per weight",
          fmt::format("ns per weight: SGD {}, AdaRad {}, RMSprop {}", nanoseconds(sgd), nanoseconds(adarad),
                      nanoseconds(rmsprop)),
          by_rule(adarad > sgd && adarad < rmsprop, fastest)};
}

Claim shrinkage_is_free(const std::vector<Cost>& costs) {
  const double without = cost_of(costs, "AdaRad").seconds;
  const double with = cost_of(costs, "AdaRad with shrinkage").seconds;
  return {"shrinkage costs AdaRad nothing per weight (here: within a tenth)",
          fmt::format("ns per weight: {} without, {} with", nanoseconds(without), nanoseconds(with)),
          by_rule(std::abs(with / without - 1) < 0.1, fastest)};
}

Svg bars(const std::vector<Cost>& costs) {
  constexpr double width = 760;
  constexpr double row = 26;
  constexpr double left = 180;
  std::vector<const Cost*> shown;
  double longest = 0;
  for (const Cost& cost : costs) {
    if (!std::isfinite(cost.seconds)) continue;
    shown.push_back(&cost);
    longest = std::max(longest, cost.seconds);
  }
  Svg svg(width, 40 + row * static_cast<double>(shown.size()), "time of a step per weight");
  svg.text(left, 18, "nanoseconds per weight and step, one thread", "start", "name");
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const Cost& cost = *shown[i];
    const double top = 30 + row * static_cast<double>(i);
    const double length = 260 * cost.seconds / longest;
    const bool turning = turns_fan_ins(cost.method.kind);
    svg.text(left - 8, top + 13, cost.method.name, "end");
    svg.rect(left, top, length, 17, turning ? "mark black" : cost.method.shrinks ? "mark blue" : "mark red");
    svg.text(left + length + 6, top + 13,
             fmt::format("{}  ({})", nanoseconds(cost.seconds), operations_text(cost.needed())), "start",
             "small");
  }
  return svg;
}

Rows rows_of(const std::vector<Cost>& costs) {
  Rows rows{{"method", "per weight", "counted", "paper", "computed here", "memory",
             "ns per weight, step alone, CPU", "ns per weight, whole step, GPU"}};
  for (const Cost& cost : costs) {
    rows.push_back({cost.method.name, cost.method.formula, operations_text(cost.needed()),
                    cost.method.paper ? operations_text(*cost.method.paper) : "-",
                    cost.method.runs ? operations_text(count_operations(cost.method.as_computed)) : "-",
                    cost.method.memory, nanoseconds(cost.seconds),
                    nanoseconds(cost.gpu_seconds.value_or(std::nan("")))});
  }
  return rows;
}

}  // namespace

std::vector<Claim> table1_claims(const std::vector<Cost>& costs) {
  return {same_counts(costs), graceful(costs), shrinkage_is_free(costs)};
}

namespace {

EntryPage table1_page(const std::vector<Cost>& costs) {
  Rows table = rows_of(costs);
  for (std::size_t r = 1; r < table.size(); ++r) table[r][1] = fmt::format("`{}`", table[r][1]);
  return {
      .name = "table1",
      .title = "Table 1: what a step costs",
      .introduction =
          "Operations per weight and step, without the gradient and without what is done once per unit, and "
          "the time of the optimizer's step alone on a net of 784-193-36-10 units. Counted are the signs "
          "`*`, `/` and the word `sqrt` in the formula of a weight `w` with gradient `g`; single letters and "
          "words stand for numbers that a unit shares. The program itself sometimes multiplies once more "
          "(computed here): it measures `w.w` anew in every step, in double, where the length could be "
          "carried on, and it corrects running means for how full they are. RMSprop with shrinkage does not "
          "exist here: the shrinkage would have to be rescaled.",
      .claims = table1_claims(costs),
      .details = markdown_table(table)};
}

}  // namespace

void make_table1(const Session& session) {
  std::vector<Cost> costs;
  const bool gpu = session.device != Device::cpu && gpu_status().usable;
  for (const Method& method : all_methods()) {
    check(session);
    Cost& cost = costs.emplace_back(Cost{.method = method});
    if (!method.runs) continue;
    cost.seconds = measure_step(method, 1e-3 * static_cast<double>(session.counts.milliseconds));
    if (gpu) cost.gpu_seconds = measure_gpu_step(method);
    session.say(fmt::format("table1: {}: {} ns per weight", method.name, nanoseconds(cost.seconds)));
  }
  EntryPage page = table1_page(costs);
  page.provenances = {
      {.name = "steps",
       .command = session.command("table1"),
       .seeds = "-",
       .device = fmt::format("{}, 1 thread{}", processor_name(), gpu ? "; " + gpu_status().text : ""),
       .precision = gpu ? "fp32; GPU: tf32" : "fp32"}};
  write_entry(session, page, rows_of(costs), bars(costs));
}

void judge_table1(const Session& session, const StoredEntry& stored) {
  constexpr double nano = 1e-9;
  std::vector<Cost> costs;
  for (const Method& method : all_methods()) {
    Cost& cost = costs.emplace_back(Cost{.method = method});
    for (std::size_t row = 1; row < stored.rows.size(); ++row) {
      if (stored.cell(row, "method") != method.name) continue;
      cost.seconds = nano * stored.number(row, "ns per weight, step alone, CPU");
      const double gpu = nano * stored.number(row, "ns per weight, whole step, GPU");
      if (std::isfinite(gpu)) cost.gpu_seconds = gpu;
    }
  }
  EntryPage page = table1_page(costs);
  page.provenances = stored.provenances;
  page.version = stored.version;
  write_page(session, page);
}

}  // namespace coppice::experiments
