#include "coppice/exports/export.h"
#include "coppice/exports/onnx_cells.h"
#include "coppice/exports/onnx_texts.h"

#include "tests/exports/exported_models.h"
#include "tests/exports/onnx_reader.h"
#include "tests/support.h"

#include <gmock/gmock.h>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coppice {
namespace {

using test::ReadMessage;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

// Numbers of fields in onnx.proto.
constexpr std::uint32_t model_graph = 7;
constexpr std::uint32_t model_told = 14;
constexpr std::uint32_t graph_node = 1;
constexpr std::uint32_t graph_tensor = 5;
constexpr std::uint32_t graph_input = 11;
constexpr std::uint32_t graph_output = 12;
constexpr std::uint32_t tensor_name = 8;

std::string onnx_of(const Model& model, std::optional<OnnxInputs> inputs = {},
                    std::optional<OnnxTexts> texts = {}) {
  return export_model(model, {.format = ExportFormat::onnx, .onnx_inputs = inputs, .onnx_texts = texts});
}

ReadMessage graph_of(const std::string& file) {
  return ReadMessage(ReadMessage(file).one(model_graph));
}

std::vector<std::string> names_in(const ReadMessage& graph, std::uint32_t field) {
  std::vector<std::string> names;
  for (const ReadMessage& value : graph.messages(field)) names.push_back(value.one(1));
  return names;
}

Model model_of_classes() {
  return Model(test::model_of_all_kinds(test::table_of_all_kinds(100), "kind", {4}));
}

TEST(Onnx, EveryNodeTakesWhatIsThereAndEveryNameIsMadeOnce) {
  for (const test::ExportedCase& one : test::exported_cases()) {
    for (const OnnxInputs inputs : {OnnxInputs::columns, OnnxInputs::matrix}) {
      SCOPED_TRACE(one.name);
      const ReadMessage graph = graph_of(onnx_of(one.model, inputs));
      std::set<std::string> there;
      for (const std::string& name : names_in(graph, graph_input))
        EXPECT_TRUE(there.insert(name).second) << name;
      for (const ReadMessage& tensor : graph.messages(graph_tensor))
        EXPECT_TRUE(there.insert(tensor.one(tensor_name)).second);
      for (const ReadMessage& node : graph.messages(graph_node)) {
        for (const std::string& input : node.all(1)) EXPECT_TRUE(there.contains(input)) << input;
        EXPECT_TRUE(there.insert(node.one(2)).second) << node.one(2);
      }
      EXPECT_THAT(there, IsSupersetOf(names_in(graph, graph_output)));
    }
  }
}

TEST(Onnx, InputsAreTheColumnsOrOneOfEachKind) {
  const Model model = model_of_classes();
  EXPECT_THAT(names_in(graph_of(onnx_of(model)), graph_input),
              ElementsAre("age", "income", "city", "size", "when"));
  EXPECT_THAT(names_in(graph_of(onnx_of(model, OnnxInputs::matrix)), graph_input),
              ElementsAre("X", "X_texts", "X_times"));
  const auto [images, pixels] = test::model_of_images();
  EXPECT_THAT(names_in(graph_of(onnx_of(images)), graph_input), ElementsAre("X")) << "images are a matrix";
  EXPECT_EQ(names_in(graph_of(onnx_of(images, OnnxInputs::columns)), graph_input).size(), 12U);
}

TEST(Onnx, OutputsAreNamedLikeThoseOfScikitLearn) {
  EXPECT_THAT(names_in(graph_of(onnx_of(model_of_classes())), graph_output),
              ElementsAre("label", "probabilities"));
  const Model numbers(test::model_of_all_kinds(test::table_of_all_kinds(100), "price", {4}));
  EXPECT_THAT(names_in(graph_of(onnx_of(numbers)), graph_output), ElementsAre("variable"));
}

TEST(Onnx, TellsColumnsClassesTargetAndError) {
  ModelParts parts = test::model_of_all_kinds(test::table_of_all_kinds(100), "kind", {4});
  parts.origin.version = "1.2.3";
  parts.origin.validation_error = 0.25;
  std::map<std::string, std::string> told;
  const std::string file = onnx_of(Model(parts));
  for (const ReadMessage& entry : ReadMessage(file).messages(model_told)) told[entry.one(1)] = entry.one(2);
  EXPECT_EQ(told.at("classes"), R"(["a","b","c"])");
  EXPECT_EQ(told.at("target"), "kind");
  EXPECT_EQ(told.at("version"), "1.2.3");
  EXPECT_EQ(told.at("validation_error"), "0.25");
  const auto columns = nlohmann::json::parse(told.at("columns"));
  EXPECT_EQ(columns.at(2).at("texts"), nlohmann::json({"", "Bonn", "Kiel", "Ulm"}));
  EXPECT_EQ(columns.at(4), nlohmann::json({{"name", "when"}, {"kind", "time"}, {"input", "when"}}));
  parts.origin.validation_error = std::nan("");
  const std::string unmeasured = onnx_of(Model(parts));
  EXPECT_THAT(unmeasured, ::testing::Not(HasSubstr("validation_error")));
}

TEST(Onnx, WordsOfAnOrderHaveCodesInSeveralSpellings) {
  const LoweredModel lowered = lower(model_of_classes());
  EXPECT_THAT(
      onnx_texts(features_by_column(lowered)[3]),
      ElementsAre("large", "medium", "small", "Small", "SMALL", "Medium", "MEDIUM", "Large", "LARGE"));
}

TEST(Onnx, AColumnNamedLikeAnOutputNeedsAMatrix) {
  ModelParts parts = test::model_of_all_kinds(test::table_of_all_kinds(100), "kind", {4});
  parts.encoding.columns[0].name = "label";
  EXPECT_THAT(test::message_of([&] { onnx_of(Model(parts)); }),
              ::testing::AllOf(HasSubstr("\"label\""), HasSubstr("use `onnx-inputs` matrix")));
  EXPECT_THAT(names_in(graph_of(onnx_of(Model(parts), OnnxInputs::matrix)), graph_output),
              ElementsAre("label", "probabilities"));
}

TEST(Onnx, TensorsInsideGiveWayToColumns) {
  ModelParts parts = test::model_of_all_kinds(test::table_of_all_kinds(100), "kind", {4});
  parts.encoding.columns[0].name = "constant_0";
  const ReadMessage graph = graph_of(onnx_of(Model(parts)));
  for (const ReadMessage& tensor : graph.messages(graph_tensor))
    EXPECT_NE(tensor.one(tensor_name), "constant_0");
}

TEST(Onnx, ItsSettingsAreRefusedElsewhere) {
  const Model model = model_of_classes();
  EXPECT_THAT(test::message_of([&] { export_model(model, {.onnx_inputs = OnnxInputs::matrix}); }),
              HasSubstr("`onnx-inputs`: only an export to onnx"));
  EXPECT_THAT(test::message_of([&] { export_model(model, {.onnx_texts = OnnxTexts::codes}); }),
              HasSubstr("`onnx-texts`: only an export to onnx"));
}

}  // namespace
}  // namespace coppice
