#include "coppice/data/weights.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/columns.h"

#include <algorithm>
#include <cmath>

namespace coppice {

namespace {

void refuse_cells(const Table& table, std::size_t column) {
  const ColumnFacts& facts = table.column(column).facts;
  const auto refuse = [&](const CellSpot& spot, const std::string& what) {
    place_in(table, column, spot.at)
        .fail(what +
              ", but a weight must be a number, 0 or more; correct it, or write 0 to leave the row out");
  };
  if (facts.missing) refuse(*facts.missing, "the weight is missing");
  for (const CellSpot* spot : {facts.stray.get(), facts.unread.get(), facts.large.get()}) {
    if (spot != nullptr) refuse(*spot, fmt::format("the weight is {}", cited(spot->text)));
  }
}

}  // namespace

std::vector<float> read_weights(const Table& table, const std::string& column) {
  const std::size_t index = require_column(table, column, "weight");
  refuse_cells(table, index);
  const Column& cells = table.column(index);
  std::vector<float> weights(table.rows());
  cells.numbers(0, weights, 0);
  const auto negative =
      std::ranges::find_if(weights, [](float weight) { return !(weight >= 0) || std::isinf(weight); });
  if (negative != weights.end()) {
    place_in(table, index, {.row = static_cast<std::size_t>(negative - weights.begin())})
        .fail(fmt::format(
            "the weight is {}, but a weight must be a number, 0 or more; correct it, or write 0 to leave "
            "the row out",
            shortest(*negative)));
  }
  double sum = 0;
  for (const float weight : weights) sum += weight;
  if (!(sum > 0)) {
    fail_at({.column = column}, "{}: all weights in the column {} are 0, so no row is left; correct them",
            table.name(), cited(column));
  }
  if (std::ranges::all_of(weights, [](float weight) { return weight == std::floor(weight); })) return weights;
  const auto counting =
      static_cast<double>(std::ranges::count_if(weights, [](float weight) { return weight > 0; }));
  for (float& weight : weights) weight = static_cast<float>(weight * (counting / sum));
  return weights;
}

double sum_of_weights(std::span<const float> weights, std::span<const std::uint32_t> rows) {
  if (weights.empty()) return static_cast<double>(rows.size());
  double sum = 0;
  for (const std::uint32_t row : rows) sum += weights[row];
  return sum;
}

void drop_weightless(std::span<const float> weights, std::vector<std::uint32_t>& rows) {
  if (weights.empty()) return;
  std::erase_if(rows, [&](std::uint32_t row) { return weights[row] == 0; });
}

}  // namespace coppice
