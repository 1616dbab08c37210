#include "coppice/analysis/data_json.h"

#include "coppice/core/text.h"
#include "coppice/model/parts.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace coppice {

namespace {

constexpr std::size_t most_classes = 200;

nlohmann::ordered_json column_json(const ColumnSummary& column) {
  nlohmann::ordered_json json{{"name", column.name},
                              {"kind", name_of(column.role)},
                              {"missing", column.missing},
                              {"inputs", column.inputs}};
  if (column.role == ColumnRole::number || column.role == ColumnRole::flag) {
    json["mean"] = rounded(column.mean);
    json["deviation"] = rounded(column.deviation);
  }
  return json;
}

nlohmann::ordered_json target_json(const Encoding& encoding, const TargetSummary& target) {
  nlohmann::ordered_json json{{"name", encoding.target.name}};
  if (encoding.task == Task::regression) {
    json["kind"] = "number";
    json["mean"] = rounded(target.mean);
    json["deviation"] = rounded(target.deviation);
    json["min"] = rounded(target.least);
    json["max"] = rounded(target.greatest);
    return json;
  }
  nlohmann::ordered_json classes = nlohmann::ordered_json::array();
  for (std::size_t k = 0; k < std::min(target.class_rows.size(), most_classes); ++k) {
    classes.push_back({{"name", encoding.target.classes[k]}, {"rows", target.class_rows[k]}});
  }
  json["kind"] = "classes";
  json["classes"] = classes;
  json["classes_total"] = encoding.target.classes.size();
  return json;
}

}  // namespace

nlohmann::ordered_json rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  return rounded_to(value, 6);
}

nlohmann::ordered_json data_json(const Model& model, const AnalysedData& data) {
  const DataSummary& summary = *data.summary;
  const Encoding& encoding = model.parts().encoding;
  const ModelOrigin& origin = model.origin();
  nlohmann::ordered_json columns = nlohmann::ordered_json::array();
  for (const ColumnSummary& column : summary.columns) columns.push_back(column_json(column));
  const std::size_t test_rows = data.test ? data.rows.size() : 0;
  return {
      {"file", data.file.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(data.file)},
      {"format", name_of(encoding.format)},
      {"rows", {{"train", origin.train_rows}, {"validation", origin.validation_rows}, {"test", test_rows}}},
      {"target", target_json(encoding, summary.target)},
      {"columns", columns},
      {"columns_total", summary.columns_total},
      {"image", summary.image
                    ? nlohmann::ordered_json{{"rows", summary.image->rows}, {"cols", summary.image->cols}}
                    : nlohmann::ordered_json()}};
}

}  // namespace coppice
