#include "coppice/core/spread.h"
#include "coppice/core/text.h"
#include "coppice/report/html.h"

#include "experiments/comparison.h"
#include "experiments/picture.h"
#include "experiments/table2.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

constexpr double published_tree = 0.268;

std::vector<PokerRow> of_algorithm(const std::vector<PokerRow>& rows, const std::string& algorithm) {
  std::vector<PokerRow> some;
  std::ranges::copy_if(rows, std::back_inserter(some),
                       [&](const PokerRow& row) { return row.algorithm == algorithm; });
  return some;
}

/// The rows of one algorithm, lambda and setting, a net per seed: a line of the table.
std::vector<std::vector<PokerRow>> lines(const std::vector<PokerRow>& rows) {
  std::vector<std::vector<PokerRow>> all;
  const auto alike = [](const PokerRow& a, const PokerRow& b) {
    const bool lambdas = a.lambda == b.lambda || (std::isnan(a.lambda) && std::isnan(b.lambda));
    return lambdas && a.algorithm == b.algorithm && a.setting == b.setting;
  };
  for (const PokerRow& row : rows) {
    const auto found =
        std::ranges::find_if(all, [&](const std::vector<PokerRow>& line) { return alike(line[0], row); });
    if (found == all.end()) {
      all.push_back({row});
    } else {
      found->push_back(row);
    }
  }
  return all;
}

Spread errors_in(const std::vector<PokerRow>& line) {
  std::vector<double> errors;
  for (const PokerRow& row : line) errors.push_back(row.error);
  return spread_of(errors);
}

/// The net nearest to the medians of size and error.
const PokerRow& typical(const std::vector<PokerRow>& line) {
  std::vector<NetResult> nets;
  for (const PokerRow& row : line) {
    NetResult& net = nets.emplace_back();
    net.parameters = row.parameters;
    net.test_error = row.error;
  }
  return line[line.size() == 1 ? 0 : representative(nets)];
}

std::string error_cell(const std::vector<PokerRow>& line) {
  return line.size() == 1 ? share_text(line[0].error) : errors_text(errors_in(line));
}

std::string errors_of(const std::vector<PokerRow>& rows) {
  std::vector<std::string> parts;
  for (const std::vector<PokerRow>& line : lines(rows)) {
    const std::string setting = line[0].algorithm == patient_net ? line[0].setting + ": " : "";
    parts.push_back(std::isfinite(line[0].lambda)
                        ? fmt::format("{}lambda {:g}: {}", setting, line[0].lambda, error_cell(line))
                        : error_cell(line));
  }
  return joined(parts, "; ");
}

std::size_t wrong_rows(const std::vector<PokerRow>& line, std::size_t test_rows) {
  return static_cast<std::size_t>(std::lround(errors_in(line).median * static_cast<double>(test_rows)));
}

std::string label_of(const PokerRow& row) {
  return std::isfinite(row.lambda) ? fmt::format("lambda {:g}", row.lambda) : "";
}

/// Whether the median net of every line errs less often than that.
Judged all_below(const std::vector<PokerRow>& rows, std::size_t test_rows, double limit) {
  std::vector<Judged> parts;
  for (const std::vector<PokerRow>& line : lines(rows))
    parts.push_back(share_below(label_of(line[0]), wrong_rows(line, test_rows), test_rows, limit));
  return all_of(parts);
}

/// Errors of the nets of one lambda, a net per seed.
std::vector<double> errors_at(const std::vector<PokerRow>& rows, double lambda) {
  std::vector<double> errors;
  for (const PokerRow& row : rows)
    if (row.lambda == lambda) errors.push_back(row.error);
  return errors;
}

std::string median(const std::vector<PokerRow>& rows, double lambda) {
  return share_text(spread_of(errors_at(rows, lambda)).median);
}

/// Large lambdas lose, small ones win: about the two ways of training, so seeds are what is counted. Of lambdas that both
/// kinds have; of one alone nothing is said.
std::vector<Claim> large_and_small(const std::vector<PokerRow>& own,
                                   const std::vector<PokerRow>& parametric) {
  std::vector<double> lambdas;
  for (const PokerRow& row : own)
    if (!errors_at(parametric, row.lambda).empty()) lambdas.push_back(row.lambda);
  if (lambdas.empty() || lambdas.front() == lambdas.back()) return {};
  const double large = lambdas.front();
  const double small = lambdas.back();
  return {
      {"nonparametric nets are worse than parametric ones where lambda is large, slightly better where it is "
       "small",
       fmt::format("lambda {:g}: {} and {}; lambda {:g}: {} and {}", large, median(own, large),
                   median(parametric, large), small, median(own, small), median(parametric, small)),
       lower_everywhere(
           {{fmt::format("lambda {:g}, parametric", large), errors_at(parametric, large),
             errors_at(own, large)},
            {fmt::format("lambda {:g}", small), errors_at(own, small), errors_at(parametric, small)}})}};
}

}  // namespace

std::vector<Claim> table2_claims(const std::vector<PokerRow>& rows, std::size_t test_rows) {
  constexpr double guessing = 0.4;
  constexpr double few = 0.01;
  const std::vector<PokerRow> own = of_algorithm(rows, own_net);
  const std::vector<PokerRow> parametric = of_algorithm(rows, parametric_net);
  const std::vector<PokerRow> linear = of_algorithm(rows, linear_model);
  const PokerRow& best = *std::ranges::min_element(own, {}, &PokerRow::validation);
  std::vector<Claim> claims{
      {"linear models are about as good as guessing (here: an error above 40 %)", errors_of(linear),
       share_above("", wrong_rows({linear.front()}, test_rows), test_rows, guessing)},
      {"nonparametric nets err on less than 1 % of the hands, whatever lambda", errors_of(own),
       all_below(own, test_rows, few)},
      {"parametric nets of the same sizes do, too", errors_of(parametric),
       all_below(parametric, test_rows, few)},
      {"the best net by validation error is far better than the best tree published at OpenML, 26.8 % (here: "
       "a "
       "tenth of its error)",
       share_text(best.error),
       share_below("", wrong_rows({best}, test_rows), test_rows, 0.1 * published_tree), true}};
  claims = claims + large_and_small(own, parametric);
  const std::vector<PokerRow> defaults = of_algorithm(rows, default_net);
  if (!defaults.empty()) {
    claims.push_back(
        {"with this program's default settings every lambda learns, the largest too (here: below 40 %)",
         errors_of(defaults), all_below(defaults, test_rows, guessing), true});
  }
  const std::vector<PokerRow> mnist = of_algorithm(rows, mnist_net);
  if (!mnist.empty()) {
    const auto shares = [](const std::vector<PokerRow>& nets) {
      std::vector<double> all;
      for (const PokerRow& row : nets)
        if (std::isfinite(row.settled)) all.push_back(row.settled);
      return all;
    };
    std::vector<PokerRow> learned;  // a net that lost all its units has no size to settle
    std::ranges::copy_if(own, std::back_inserter(learned),
                         [&](const PokerRow& row) { return row.validation < guessing; });
    claims.push_back(
        {"the size settles in a smaller share of the training than on MNIST (here: it stays within a tenth "
         "of the "
         "last; nets that learned)",
         fmt::format("after {} and {} of the epochs", share_text(spread_of(shares(learned)).median),
                     share_text(spread_of(shares(mnist)).median)),
         lower_everywhere({{"", shares(learned), shares(mnist)}})});
  }
  const std::vector<PokerRow> published = of_algorithm(rows, published_size_net);
  if (!published.empty()) {
    claims.push_back({"so do parametric nets of the sizes that the paper found", errors_of(published),
                      all_below(published, test_rows, few)});
  }
  const std::vector<PokerRow> patient = of_algorithm(rows, patient_net);
  if (!patient.empty()) {
    const std::vector<std::vector<PokerRow>> settings = lines(patient);
    const auto chosen = std::ranges::min_element(settings, {}, [](const std::vector<PokerRow>& line) {
      std::vector<double> errors;
      for (const PokerRow& row : line) errors.push_back(row.validation);
      return spread_of(errors).median;
    });
    claims.push_back(
        {"with a patience of 50 epochs and a larger angular step the largest lambda reaches less "
         "than 1 %, too (the step of the lowest median validation error)",
         errors_of(patient), all_below(*chosen, test_rows, few), true});
  }
  return claims;
}

double settled_after(const NetHistory& history) {
  constexpr double tenth = 0.1;
  const auto units = [](const EpochRow& row) {
    double sum = 0;
    for (const std::size_t count : row.hidden_units) sum += static_cast<double>(count);
    return sum;
  };
  if (history.epochs.empty()) return std::nan("");
  const double last = units(history.epochs.back());
  std::size_t since = 0;
  for (std::size_t i = 0; i < history.epochs.size(); ++i)
    if (std::abs(units(history.epochs[i]) - last) > tenth * last) since = i + 1;
  return static_cast<double>(since) / static_cast<double>(history.epochs.size());
}

std::string table2_details(const std::vector<PokerRow>& rows) {
  Rows all{{"algorithm", "lambda", "size of a typical net", "parameters", "validation error, median",
            "test error, median (range)", "nets", "setting", "paper: size", "paper: test error"}};
  for (const std::vector<PokerRow>& line : lines(rows)) {
    const PokerRow& row = typical(line);
    if (row.algorithm == mnist_net) continue;  // of another data set
    std::vector<double> validation;
    for (const PokerRow& one : line) validation.push_back(one.validation);
    all.push_back({row.algorithm, std::isfinite(row.lambda) ? fmt::format("{:g}", row.lambda) : "",
                   size_text(row.units), row.parameters > 0 ? std::to_string(row.parameters) : "",
                   share_text(spread_of(validation).median), error_cell(line), std::to_string(line.size()),
                   row.setting, row.paper_units,
                   std::isfinite(row.paper_error) ? share_text(row.paper_error) : ""});
  }
  return markdown_table(all);
}

Rows table2_rows(const std::vector<PokerRow>& rows) {
  Rows all{{"algorithm", "lambda", "units", "parameters", "validation_error", "test_error", "seed", "setting",
            "paper_units", "paper_test_error", "settled"}};
  for (const PokerRow& row : rows) {
    all.push_back({row.algorithm, std::isfinite(row.lambda) ? fmt::format("{:g}", row.lambda) : "",
                   size_text(row.units), row.parameters > 0 ? std::to_string(row.parameters) : "",
                   csv_number(row.validation), csv_number(row.error), row.seed, row.setting, row.paper_units,
                   csv_number(row.paper_error), csv_number(row.settled)});
  }
  return all;
}

/// Errors as marks on a logarithmic axis, ours filled above the paper's.
Svg draw_table2(const std::vector<PokerRow>& rows) {
  std::vector<std::vector<PokerRow>> all = lines(rows);
  std::erase_if(all, [](const std::vector<PokerRow>& line) { return line[0].algorithm == mnist_net; });
  constexpr double width = 1000;
  constexpr double line = 24;
  constexpr double left = 430;
  const double height = 60 + line * static_cast<double>(all.size());
  Svg svg(width, height, "test errors on poker hands");
  const Scale x{.low = 5e-6, .high = 1, .log = true, .from = left, .to = width - 20};
  for (const double tick : {1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0}) {
    svg.line(x(tick), 26, x(tick), height - 30, "grid");
    svg.text(x(tick), height - 14, fmt::format("{:g} %", 100 * tick), "middle");
  }
  svg.text(8, 14, "test error", "start", "name");
  draw_legend(svg, width - 14, 14,
              {{"black", "nonparametric"}, {"red", "parametric"}, {"blue", "others"}, {"grey", "the paper"}});
  for (std::size_t i = 0; i < all.size(); ++i) {
    const PokerRow& row = typical(all[i]);
    const double y = 40 + line * static_cast<double>(i);
    const char* colour = row.algorithm.starts_with("nonparametric") ? "mark black"
                         : row.algorithm.starts_with("parametric")  ? "mark red"
                                                                    : "mark blue";
    const std::string setting = row.algorithm == patient_net ? ", " + row.setting : "";
    const std::string lambda = std::isfinite(row.lambda) ? fmt::format(", lambda {:g}", row.lambda) : "";
    const std::string size = row.units.empty() ? "" : fmt::format(" ({})", size_text(row.units));
    svg.text(8, y + 4, row.algorithm + setting + lambda + size);
    const auto place = [&](double error) { return x(std::max(error, x.low)); };
    if (std::isfinite(row.paper_error))
      svg.circle(place(row.paper_error), y, 5, "mark grey", share_text(row.paper_error));
    if (!std::isfinite(row.error)) continue;
    const Spread errors = errors_in(all[i]);
    svg.line(place(errors.low), y, place(errors.high), y, "axis");
    svg.rect(place(errors.median) - 4, y - 4, 8, 8, colour, share_text(errors.median));
  }
  return svg;
}

}  // namespace coppice::experiments
