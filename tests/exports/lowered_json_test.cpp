#include "coppice/exports/export.h"

#include "tests/exports/exported_models.h"
#include "tests/exports/interpreter.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coppice {
namespace {

using Json = nlohmann::json;

Feature feature_from(const Json& json, const LoweredModel& model) {
  Feature feature;
  const auto column =
      std::ranges::find(model.columns, json.at("column").get<std::string>(), &RawColumn::name);
  feature.column = static_cast<std::size_t>(column - model.columns.begin());
  feature.part = from_name<CellPart>(json.at("part").get<std::string>()).value();
  feature.first_input = json.at("first_input");
  feature.categories = json.value("categories", std::vector<std::string>());
  feature.words = json.value("words", std::vector<std::string>());
  feature.origin = json.value("origin", 0.0);
  feature.fill = json.value("fill", 0.0F);
  feature.indicator = json.value("indicator", false);
  feature.edges = json.value("edges", std::vector<float>());
  if (json.contains("squash")) {
    const Json& squash = json.at("squash");
    feature.squash = {
        .median = squash.at("median"), .factor = squash.at("factor"), .limit = squash.at("limit")};
  }
  return feature;
}

LoweredNet net_from(const Json& json) {
  LoweredNet net;
  json.at("inputs").get_to(net.inputs);
  std::size_t below = net.inputs.size();
  for (const Json& from : json.at("layers")) {
    DenseLayer& layer = net.layers.emplace_back();
    layer.weights = Matrix<float>(from.at("units"), below);
    for (std::size_t j = 0; j < layer.units(); ++j)
      std::ranges::copy(from.at("weights").at(j).get<std::vector<float>>(), layer.weights.row(j).begin());
    from.at("bias").get_to(layer.bias);
    layer.activation = from_name<Activation>(from.at("activation").get<std::string>()).value();
    below = layer.units();
  }
  return net;
}

/// The model that the file tells of, by docs/exports.md and nothing else.
LoweredModel model_from(const Json& json) {
  LoweredModel model;
  model.task = from_name<Task>(json.at("task").get<std::string>()).value();
  for (const Json& column : json.at("columns"))
    model.columns.push_back({.name = column.at("name"),
                             .kind = from_name<ColumnKind>(column.at("kind").get<std::string>()).value()});
  for (const Json& feature : json.at("features")) model.features.push_back(feature_from(feature, model));
  for (const Json& input : json.at("inputs"))
    model.inputs.push_back(
        {.name = input.at("name"), .offset = input.at("offset"), .factor = input.at("factor")});
  for (const Json& net : json.at("nets")) model.nets.push_back(net_from(net));
  model.temperature = json.value("temperature", 1.0);
  model.target.mean = json.value("mean", 0.0);
  model.target.deviation = json.value("deviation", 1.0);
  if (json.contains("log_ceiling")) model.target.ceiling = json.at("log_ceiling").get<double>();
  return model;
}

TEST(LoweredJson, IsEnoughToPredictTheSame) {
  for (const test::ExportedCase& one : test::exported_cases()) {
    SCOPED_TRACE(one.name);
    const LoweredModel read = model_from(Json::parse(export_model(one.model)));
    const LoweredModel lowered = lower(one.model);
    for (std::size_t row = 0; row < one.rows.rows(); ++row) {
      EXPECT_EQ(test::Interpreter(read).answer(one.rows, row),
                test::Interpreter(lowered).answer(one.rows, row));
    }
  }
}

TEST(LoweredJson, NamesClassesTargetAndOrigin) {
  const Table table = test::table_of_all_kinds(100);
  ModelParts parts = test::model_of_all_kinds(table, "kind", {3});
  parts.origin.version = "1.2.3";
  parts.origin.validation_error = std::nan("");
  const Json json = Json::parse(export_model(Model(parts)));
  EXPECT_EQ(json.at("classes"), Json({"a", "b", "c"}));
  EXPECT_EQ(json.at("target"), "kind");
  EXPECT_EQ(json.at("format_version"), 1);
  EXPECT_EQ(json.at("origin").at("version"), "1.2.3");
  EXPECT_FALSE(json.at("origin").contains("validation_error")) << "JSON has no word for none";
  EXPECT_EQ(json.at("inputs").at(0).at("name"), "age");
}

}  // namespace
}  // namespace coppice
