#include "coppice/core/text.h"
#include "coppice/report/html.h"

#include "experiments/grid.h"
#include "experiments/significance.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

bool same(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

std::vector<double> distinct(const std::vector<GridCell>& cells, double (*number)(const GridCell&)) {
  std::vector<double> values;
  for (const GridCell& cell : cells)
    if (std::ranges::find(values, number(cell)) == values.end()) values.push_back(number(cell));
  std::ranges::sort(values);
  return values;
}

Share share_of(const GridSet& set, const GridCell& cell) {
  return {cell.validation_error(), static_cast<double>(set.validation_rows)};
}

const GridCell& best_cell(const GridSet& set) {
  return *std::ranges::min_element(set.cells, {}, &GridCell::validation_error);
}

std::string cell_text(const GridCell& cell) {
  return fmt::format("alpha_phi {:g}, lambda {:g}: {}", cell.alpha, cell.net.lambda,
                     share_text(cell.validation_error()));
}

/// The paper's alpha beside every other, over the lambdas.
Claim alpha_claim(const GridSet& set) {
  const double paper = chosen_in_paper(set.title).alpha;
  std::vector<Compared> compared;
  std::vector<std::string> parts;
  for (const double alpha : set.alphas()) {
    parts.push_back(fmt::format("{:g}: {}", alpha, share_text(set.best_of(alpha).validation_error())));
    if (!same(alpha, paper))
      compared.push_back({fmt::format("alpha_phi {:g}", alpha), set.errors_of(paper), set.errors_of(alpha)});
  }
  return {fmt::format("{}: alpha_phi {:g} is the best choice (here: lower validation errors than with every "
                      "other one, over the lambdas)",
                      set.title, paper),
          fmt::format("lowest validation error of every alpha_phi: {}", joined(parts, "; ")),
          lower_in_pairs(compared)};
}

/// The best cell of the paper beside the best of the others.
Claim cell_claim(const GridSet& set, const GridCell& reported) {
  const GridCell& best = best_cell(set);
  const std::string text = fmt::format(
      "{}: no cell is better than those that are reported (here: a lower share of wrong validation rows; the "
      "level is divided by the number of cells)",
      set.title);
  const std::string measured = fmt::format(
      "best reported: {}; lowest: {}; as good as the best reported: {} of {} cells", cell_text(reported),
      cell_text(best),
      std::ranges::count_if(set.cells, [&](const GridCell& cell) { return as_good_as_reported(set, cell); }),
      set.cells.size());
  if (&best == &reported) return {text, measured, by_rule(true, "it is the lowest of all")};
  const Share one = share_of(set, reported);
  const Share other = share_of(set, best);
  const double p =
      shares_test(one.value, one.trials, other.value, other.trials) * static_cast<double>(set.cells.size());
  return {text,
          measured,
          {p < significance_level ? Verdict::fails : Verdict::undecided,
           fmt::format("shares of {:g} rows, p times the number of cells: {:.2g}", one.trials,
                       std::min(p, 1.0))}};
}

}  // namespace

double GridCell::validation_error() const {
  return net.phase == "failed" || !std::isfinite(net.validation_error) ? 1 : net.validation_error;
}

std::vector<double> GridSet::alphas() const {
  return distinct(cells, [](const GridCell& cell) { return cell.alpha; });
}

std::vector<double> GridSet::lambdas() const {
  std::vector<double> all = distinct(cells, [](const GridCell& cell) { return cell.net.lambda; });
  std::ranges::reverse(all);
  return all;
}

const GridCell* GridSet::find(double alpha, double lambda) const {
  const auto found = std::ranges::find_if(
      cells, [&](const GridCell& cell) { return same(cell.alpha, alpha) && same(cell.net.lambda, lambda); });
  return found == cells.end() ? nullptr : &*found;
}

const GridCell& GridSet::best_of(double alpha) const {
  const GridCell* best = nullptr;
  for (const GridCell& cell : cells) {
    if (!same(cell.alpha, alpha)) continue;
    if (best == nullptr || cell.validation_error() < best->validation_error()) best = &cell;
  }
  return best == nullptr ? cells.front() : *best;
}

std::vector<double> GridSet::errors_of(double alpha) const {
  std::vector<double> errors;
  for (const double lambda : lambdas())
    if (const GridCell* cell = find(alpha, lambda)) errors.push_back(cell->validation_error());
  return errors;
}

GridChoice chosen_in_paper(const std::string& title) {
  static const std::map<std::string, GridChoice> choices{{"MNIST", {30, {3e-3, 1e-3, 3e-4}}},
                                                         {"rectangles-images", {30, {3e-5, 1e-6}}},
                                                         {"convex", {30, {1e-5, 1e-8}}},
                                                         {"poker", {10, {1e-3, 1e-5, 1e-6, 1e-7}}}};
  const auto found = choices.find(title);
  return found == choices.end() ? GridChoice{} : found->second;
}

const GridCell* reported_cell(const GridSet& set) {
  const GridChoice choice = chosen_in_paper(set.title);
  const GridCell* best = nullptr;
  for (const double lambda : choice.lambdas) {
    const GridCell* cell = set.find(choice.alpha, lambda);
    if (cell != nullptr && (best == nullptr || cell->validation_error() < best->validation_error()))
      best = cell;
  }
  return best;
}

bool as_good_as_reported(const GridSet& set, const GridCell& cell) {
  const GridCell* reported = reported_cell(set);
  if (reported == nullptr) return false;
  if (cell.validation_error() <= reported->validation_error()) return true;
  const Share one = share_of(set, *reported);
  const Share other = share_of(set, cell);
  return shares_test(one.value, one.trials, other.value, other.trials) >= significance_level;
}

std::vector<Claim> grid_claims(const std::vector<GridSet>& sets) {
  std::vector<Claim> claims;
  for (const GridSet& set : sets) {
    const std::vector<double> alphas = set.alphas();
    const double paper = chosen_in_paper(set.title).alpha;
    const bool there = std::ranges::any_of(alphas, [&](double alpha) { return same(alpha, paper); });
    if (there && alphas.size() > 1) claims.push_back(alpha_claim(set));
    if (const GridCell* reported = reported_cell(set)) claims.push_back(cell_claim(set, *reported));
  }
  return claims;
}

std::string grid_details(const std::vector<GridSet>& sets) {
  std::string text;
  for (const GridSet& set : sets) {
    const std::vector<double> alphas = set.alphas();
    Cells names{"lambda"};
    for (const double alpha : alphas) names.push_back(fmt::format("alpha_phi {:g}", alpha));
    Rows rows{names};
    for (const double lambda : set.lambdas()) {
      Cells row{fmt::format("{:g}", lambda)};
      for (const double alpha : alphas) {
        const GridCell* cell = set.find(alpha, lambda);
        if (cell == nullptr) {
          row.emplace_back("-");
          continue;
        }
        const std::string error = share_text(cell->validation_error());
        row.push_back(fmt::format("{} ({})", as_good_as_reported(set, *cell) ? "**" + error + "**" : error,
                                  size_text(cell->net.hidden_units)));
      }
      rows.push_back(row);
    }
    text += fmt::format(
        "## {}\n\nValidation error (units) of a net per cell; bold: not shown to be worse than the best cell "
        "that the paper reports.\n\n{}\n",
        set.title, markdown_table(rows));
  }
  return text;
}

Rows grid_rows(const std::vector<GridSet>& sets) {
  Rows rows{Cells{"set", "validation_rows", "alpha_phi", "lambda", "seed", "units"} + outcome_names};
  for (const GridSet& set : sets) {
    for (const GridCell& cell : set.cells)
      rows.push_back(Cells{set.title, std::to_string(set.validation_rows), fmt::format("{:g}", cell.alpha),
                           fmt::format("{:g}", cell.net.lambda), std::to_string(cell.net.seed),
                           size_text(cell.net.hidden_units)} +
                     outcome_cells(cell.net));
  }
  return rows;
}

std::vector<GridSet> stored_grid(const StoredEntry& stored) {
  std::vector<GridSet> sets;
  for (std::size_t row = 1; row < stored.rows.size(); ++row) {
    if (sets.empty() || sets.back().title != stored.cell(row, "set"))
      sets.push_back(
          {.title = stored.cell(row, "set"), .validation_rows = stored.whole(row, "validation_rows")});
    sets.back().cells.push_back({.alpha = stored.number(row, "alpha_phi"), .net = stored_net(stored, row)});
  }
  return sets;
}

Svg draw_grid(const std::vector<GridSet>& sets) {
  constexpr double names = 50;
  constexpr double side = 22;
  constexpr double width = names + 12 * side;
  std::size_t most = 0;
  for (const GridSet& set : sets) most = std::max(most, set.lambdas().size());
  Svg svg(width * static_cast<double>(std::max<std::size_t>(sets.size(), 1)),
          60 + side * static_cast<double>(most), "validation errors at every lambda and angular step");
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const GridSet& set = sets[s];
    const double left = names + width * static_cast<double>(s);
    const std::vector<double> alphas = set.alphas();
    const std::vector<double> lambdas = set.lambdas();
    const GridChoice choice = chosen_in_paper(set.title);
    const double lowest = best_cell(set).validation_error();
    svg.text(left, 14, set.title, "start", "name");
    for (std::size_t a = 0; a < alphas.size(); ++a)
      svg.text(left + side * (static_cast<double>(a) + 0.5), 52 + side * static_cast<double>(lambdas.size()),
               fmt::format("{:g}", alphas[a]), "middle");
    for (std::size_t l = 0; l < lambdas.size(); ++l) {
      const double y = 36 + side * (static_cast<double>(l) + 0.5);
      svg.text(left - 6, y + 4, fmt::format("{:g}", lambdas[l]), "end");
      for (std::size_t a = 0; a < alphas.size(); ++a) {
        const GridCell* cell = set.find(alphas[a], lambdas[l]);
        if (cell == nullptr) continue;
        const bool reported =
            same(alphas[a], choice.alpha) &&
            std::ranges::any_of(choice.lambdas, [&](double lambda) { return same(lambda, lambdas[l]); });
        const char* colour = reported                          ? "mark red"
                             : as_good_as_reported(set, *cell) ? "mark black"
                                                               : "mark grey";
        const double error = std::max(cell->validation_error(), 1e-9);
        const double size = (side - 3) * std::sqrt(std::max(lowest, 1e-9) / error);
        svg.rect(left + side * (static_cast<double>(a) + 0.5) - size / 2, y - size / 2, size, size, colour,
                 cell_text(*cell));
      }
    }
  }
  return svg;
}

}  // namespace coppice::experiments
