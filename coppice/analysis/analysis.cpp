#include "coppice/analysis/analysis.h"

#include "coppice/analysis/calibration_json.h"
#include "coppice/analysis/data_json.h"
#include "coppice/analysis/dependence_json.h"
#include "coppice/analysis/drawing.h"
#include "coppice/analysis/importance.h"
#include "coppice/analysis/metrics.h"
#include "coppice/analysis/performance_json.h"
#include "coppice/analysis/pixel_blocks.h"
#include "coppice/model/parts.h"
#include "coppice/model/predict.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace coppice {

namespace {

using Json = nlohmann::ordered_json;

using Rows = std::vector<std::uint32_t>;

constexpr std::size_t most_confused = 50;
constexpr std::size_t most_points = 1000;   ///< of actual against predicted
constexpr std::size_t most_listed = 30;     ///< columns by importance
constexpr std::size_t most_shuffled = 200;  ///< columns
constexpr std::size_t least_shuffled = 40;  ///< more than are listed
constexpr std::size_t shuffled_rows = 2000;
constexpr std::size_t least_rows = 200;
constexpr double most_products = 6e10;       ///< about two seconds on two cores
constexpr std::size_t block_side = 4;        ///< pixels
constexpr std::size_t most_image_side = 64;  ///< of a heat map

/// `count` of the entries, or all if there are fewer, at even distances.
template <class T>
std::vector<T> spread(const std::vector<T>& from, std::size_t count) {
  if (from.size() <= count) return from;
  std::vector<T> chosen;
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(from[i * from.size() / count]);
  return chosen;
}

Json confusion_json(const Model& model, const Metrics& metrics) {
  const std::vector<std::string>& classes = model.classes();
  if (classes.size() > most_confused) return nullptr;
  Json counts = metrics.confusion;
  const Json never_seen = counts.back();
  counts.erase(counts.size() - 1);
  return {{"classes", classes}, {"counts", counts}, {"never_seen", never_seen}};
}

/// In the target's own units.
Json points_json(const Model& model, const Matrix<float>& scores, std::span<const float> targets) {
  const TargetColumn& target = model.parts().encoding.target;
  const auto value = [&](double standardised) { return rounded(target.value(standardised)); };
  std::vector<std::size_t> rows(scores.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  Json actual = Json::array();
  Json predicted = Json::array();
  for (const std::size_t row : spread(rows, most_points)) {
    actual.push_back(value(targets[row]));
    predicted.push_back(value(scores(row, 0)));
  }
  return {{"actual", actual}, {"predicted", predicted}};
}

/// Indices by value, largest first; ties and what is no number in their own order, the latter last.
std::vector<std::size_t> ranking(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::size_t i) { return std::isnan(values[i]) ? -HUGE_VAL : values[i]; });
  return order;
}

/// Rows to shuffle among: few rows are taken several times, so that chance weighs less; many only in part, so
/// that the time stays bounded. Very wide networks get fewer rows still.
Rows rows_to_shuffle(const Model& model, const AnalysedData& held, std::size_t groups) {
  const double per_row = static_cast<double>(model.parameters()) * static_cast<double>(groups);
  const double affordable = std::max(most_products / std::max(per_row, 1.0), static_cast<double>(least_rows));
  const std::size_t count =
      affordable < static_cast<double>(shuffled_rows) ? static_cast<std::size_t>(affordable) : shuffled_rows;
  Rows rows = spread(held.rows, count);
  const std::size_t once = rows.size();
  while (!rows.empty() && rows.size() + once <= count) {
    for (std::size_t i = 0; i < once; ++i) rows.push_back(rows[i]);
  }
  return rows;
}

/// How many columns are worth shuffling: fewer of networks so large that it would take long.
std::size_t columns_to_shuffle(const Model& model) {
  const double affordable =
      most_products / (static_cast<double>(model.parameters()) * static_cast<double>(shuffled_rows));
  return static_cast<std::size_t>(
      std::clamp(affordable, static_cast<double>(least_shuffled), static_cast<double>(most_shuffled)));
}

Json ranked_json(std::span<const ColumnGroup> groups, std::span<const std::size_t> columns,
                 std::span<const double> values) {
  Json list = Json::array();
  for (const std::size_t i : ranking(values)) {
    if (list.size() == most_listed) break;
    list.push_back({{"column", groups[columns[i]].name}, {"value", rounded(values[i])}});
  }
  return list;
}

/// `ranked_names` gets all columns, the most important one first.
Json importance_json(ThreadPool& pool, const Model& model, const AnalysedData& held,
                     std::span<const double> strengths, std::vector<std::string>& ranked_names) {
  const std::vector<ColumnGroup> groups = column_groups(model.parts().encoding);
  const std::vector<double> fan_out = group_strengths(strengths, inputs_of(groups));
  std::vector<std::size_t> columns = ranking(fan_out);
  std::vector<std::size_t> all(groups.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const Json by_fan_out = ranked_json(groups, all, fan_out);
  columns.resize(std::min(columns.size(), columns_to_shuffle(model)));
  std::ranges::sort(columns);
  std::vector<InputGroup> shuffled;
  for (const std::size_t column : columns) shuffled.push_back(groups[column].inputs);
  const Rows rows = rows_to_shuffle(model, held, shuffled.size());
  const std::vector<double> rises =
      permutation_importance(pool, model, *held.held, rows, shuffled, model.origin().seed, held.net_of);
  // Those that were shuffled by what that told, then the others by their fan-out.
  for (const std::size_t i : ranking(rises)) ranked_names.push_back(groups[columns[i]].name);
  for (const std::size_t i : ranking(fan_out))
    if (!std::ranges::binary_search(columns, i)) ranked_names.push_back(groups[i].name);
  return {{"fan_out", by_fan_out}, {"permutation", ranked_json(groups, columns, rises)}};
}

Json rounded_list(std::span<const double> values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(rounded(value));
  return list;
}

/// A heat map has a cell per pixel, or fewer for large images; a cell of several has the number of its first one.
Json image_importance_json(ThreadPool& pool, const Model& model, const AnalysedData& held,
                           std::span<const double> strengths) {
  const DataSummary& summary = *held.summary;
  const ImageShape image = *summary.image;
  const std::vector<InputGroup> columns = inputs_of(column_groups(model.parts().encoding));
  const PixelBlocks cells = PixelBlocks::at_most(image, 1, most_image_side * most_image_side);
  const PixelBlocks blocks = PixelBlocks::at_most(image, block_side, columns_to_shuffle(model));
  const std::vector<InputGroup> groups = blocks.groups(columns, summary.pixels);
  const std::vector<double> rises =
      permutation_importance(pool, model, *held.held, rows_to_shuffle(model, held, groups.size()), groups,
                             model.origin().seed, held.net_of);
  std::vector<double> spread_out(cells.count());
  for (std::size_t pixel = image.rows * image.cols; pixel-- > 0;) {
    spread_out[cells.block_of(pixel)] = rises[blocks.block_of(pixel)];
  }
  return {{"rows", cells.rows()},
          {"cols", cells.cols()},
          {"fan_out", rounded_list(group_strengths(strengths, cells.groups(columns, summary.pixels)))},
          {"permutation", rounded_list(spread_out)},
          {"block", blocks.side()}};
}

/// Inputs and outputs have names, hidden units none.
Json names_json(const Model& model, const DrawnLayer& layer, bool inputs) {
  const std::vector<std::string> outputs =
      model.task() == Task::classification ? model.classes() : std::vector{model.target()};
  const std::vector<std::string> names = inputs ? model.input_names() : outputs;
  Json json = Json::array();
  for (const std::size_t i : layer.drawn) json.push_back(names[i]);
  return json;
}

Json network_json(const Model& model, const Drawing& drawing) {
  Json layers = Json::array();
  for (std::size_t l = 0; l < drawing.layers.size(); ++l) {
    const DrawnLayer& from = drawing.layers[l];
    const bool inputs = l == 0;
    const bool outputs = l + 1 == drawing.layers.size();
    Json layer{{"kind", inputs    ? "input"
                        : outputs ? "output"
                                  : "hidden"},
               {"units", from.units},
               {"fan_in", rounded_list(from.fan_in)},
               {"fan_out", rounded_list(from.fan_out)}};
    if (inputs || outputs) layer["names"] = names_json(model, from, inputs);
    layers.push_back(std::move(layer));
  }
  Json links = Json::array();
  for (const DrawnLink& link : drawing.links) {
    links.push_back(
        {{"layer", link.layer}, {"from", link.from}, {"to", link.to}, {"weight", rounded(link.weight)}});
  }
  return {{"layers", layers}, {"links", links}};
}

}  // namespace

Json analysis_json(ThreadPool& pool, const Model& model, std::size_t net, const AnalysedData& held) {
  const Matrix<float> scores = predict_scores_by(pool, model.folded(), *held.held, held.rows, held.net_of);
  KnownRows known;
  for (const std::uint32_t row : held.rows) {
    if (!held.held->labels.empty()) known.labels.push_back(held.held->labels[row]);
    if (!held.held->targets.empty()) known.targets.push_back(held.held->targets[row]);
  }
  known.weights = weights_of(*held.held, held.rows);
  const std::vector<double> deviations = input_deviations(*held.held, held.rows);
  const std::vector<double> strengths = input_strengths(model, deviations);
  Json json{{"net", net},
            {"rows", held.test ? "test" : "validation"},
            {"out_of_fold", !held.net_of.empty()},
            {"n", held.rows.size()},
            {"data", data_json(model, held)}};
  const bool classes = model.task() == Task::classification;
  json["confusion"] =
      classes ? confusion_json(model, measure(model.parts(), scores, {.labels = known.labels})) : Json();
  json.update(performance_json(model, scores, known));
  json["actual_predicted"] = classes ? Json() : points_json(model, scores, known.targets);
  json["calibration"] = classes ? calibration_json(scores, known, model.temperature(), !held.test) : Json();
  const bool image = held.summary->image.has_value();
  std::vector<std::string> ranked_names;
  json["importance"] = image ? Json() : importance_json(pool, model, held, strengths, ranked_names);
  json["image_importance"] = image ? image_importance_json(pool, model, held, strengths) : Json();
  json.update(dependence_json(pool, model, held, ranked_names));
  json["network"] = network_json(model, draw(model, strengths, deviations));
  return json;
}

}  // namespace coppice
