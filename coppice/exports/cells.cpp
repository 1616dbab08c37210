#include "coppice/exports/cells.h"

#include "coppice/core/text.h"
#include "coppice/data/column.h"
#include "coppice/data/moment.h"
#include "coppice/data/orders.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

namespace coppice {

namespace {

float moment_part(const Feature& feature, const std::string& text) {
  const Moment moment = parse_moment(trim(text)).value();
  if (feature.part == CellPart::day) return static_cast<float>(moment.days - feature.origin);
  if (feature.part == CellPart::month) return static_cast<float>(moment.month);
  if (feature.part == CellPart::weekday) return static_cast<float>(moment.weekday);
  return static_cast<float>(moment.hour);
}

float cell_of(const Feature& feature, const std::string& text) {
  const auto place = [](const std::vector<std::string>& texts, const std::string& wanted) {
    return static_cast<float>(std::ranges::find(texts, wanted) - texts.begin());
  };
  if (text.empty()) return not_a_number;
  if (feature.part == CellPart::category) return place(feature.categories, text);
  if (feature.part != CellPart::rank) return moment_part(feature, text);
  const float rank = place(feature.words, plain_words(text));
  return rank < static_cast<float>(feature.words.size()) ? rank : not_a_number;
}

/// Numbers in [0, 1) that spread evenly over rows and columns.
double even(std::size_t row, std::size_t column) {
  const double at = 0.618'033'988'749'895 * static_cast<double>(row + 1) +
                    0.754'877'666'246'693 * static_cast<double>(column + 1);
  return at - std::floor(at);
}

/// A number as far from the middle as those of training were.
double trial_number(const Feature& feature, const InputScale& scale, double share) {
  const double far = 3 * share - 1.5;
  if (feature.squash.used()) return feature.squash.median + far / feature.squash.factor;
  return scale.factor == 0 ? feature.fill : scale.offset + far / scale.factor;
}

std::string trial_date(double day, bool time) {
  const std::chrono::sys_days days{std::chrono::days(static_cast<int>(std::floor(day)))};
  const std::chrono::year_month_day date(days);
  std::string text = fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  if (time) text += fmt::format("T{:02}:30", static_cast<int>(24 * (day - std::floor(day))));
  return text;
}

/// A text that a column may hold; now and then one that training never saw.
std::string trial_text(const std::vector<const Feature*>& features, double share) {
  const Feature* day = nullptr;
  const Feature* hour = nullptr;
  std::vector<std::string> texts;
  for (const Feature* feature : features) {
    const CellPart part = feature->part;
    if (part == CellPart::category)
      texts.insert(texts.end(), feature->categories.begin(), feature->categories.end());
    if (part == CellPart::rank) texts.insert(texts.end(), feature->words.begin(), feature->words.end());
    if (part == CellPart::hour) hour = feature;
    if (part == CellPart::month || part == CellPart::weekday) day = day ? day : feature;
    if (part == CellPart::day) day = feature;
  }
  if (day != nullptr) return trial_date(day->origin + 365 * share, hour != nullptr);
  if (hour != nullptr) return fmt::format("{:02}:30", static_cast<int>(24 * share));
  texts.emplace_back("any other text");
  return texts[static_cast<std::size_t>(share * static_cast<double>(texts.size()))];
}

}  // namespace

std::vector<float> cells_of_row(const LoweredModel& model, const Table& table, std::size_t row) {
  std::vector<float> cells;
  for (const Feature& feature : model.features) {
    const std::string& name = model.columns[feature.column].name;
    const auto column = table.find(name);
    if (feature.part == CellPart::number) {
      cells.push_back(column ? table.column(*column).number(row, feature.origin)
                             : static_cast<float>(0 - feature.origin));
    } else {
      cells.push_back(cell_of(feature, table.text(name, row)));
    }
  }
  return cells;
}

Table trial_rows(const LoweredModel& model, std::size_t rows) {
  constexpr std::size_t gaps = 7;  // every seventh cell is missing
  Table table;
  const std::vector<std::vector<const Feature*>> features = features_by_column(model);
  for (std::size_t c = 0; c < model.columns.size(); ++c) {
    std::vector<double> numbers;
    std::vector<std::string> texts;
    const Feature* feature = features[c].front();
    for (std::size_t row = 0; row < rows; ++row) {
      const bool missing = (row + c) % gaps == gaps - 1;
      if (model.columns[c].kind == ColumnKind::text) {
        texts.push_back(missing ? "" : trial_text(features[c], even(row, c)));
      } else {
        const InputScale& scale = model.inputs[feature->first_input];
        const auto number = static_cast<float>(trial_number(*feature, scale, even(row, c)));
        numbers.push_back(missing ? not_a_number : feature->origin + number);
      }
    }
    if (model.columns[c].kind == ColumnKind::text) {
      table.add_texts(model.columns[c].name, texts);
    } else {
      table.add_numbers(model.columns[c].name, numbers);
    }
  }
  return table;
}

}  // namespace coppice
