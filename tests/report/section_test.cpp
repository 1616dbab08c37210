#include "coppice/report/section.h"

#include "coppice/run/layout.h"

#include "tests/analysis/explained_models.h"
#include "tests/report/run_directory.h"

#include <cmath>
#include <filesystem>
#include <functional>

#include <gtest/gtest.h>

namespace coppice::test {
namespace {

/// What sections say of runs that differ in a few words.
class Sections : public RunDirectory {
 protected:
  /// A record with this analysis, of a run with the summary changed.
  RunRecord record(
      const Json& analysis, const std::function<void(Json&)>& change = [](Json&) {}) const {
    write_run({});
    Json summary = read_json(path("summary.json"));
    change(summary);
    write("summary.json", summary.dump());
    write("analysis.json", analysis.dump());
    return read_run(directory());
  }
  static bool says(const std::string& html, const std::string& part) {
    return html.find(part) != std::string::npos;
  }
  static void with_base(Json& summary) {
    summary["task"] = "classification";
    summary["base_rate"] = {{"answer", "no"}, {"error", 0.4}, {"log_loss", 0.6}};
  }
};

const Json two_classes{
    {"rows", "test"},
    {"n", 100},
    {"per_class",
     {{{"class", "no"}, {"rows", 70}, {"recall", 1}, {"precision", 0.9}, {"f1", nullptr}},
      {{"class", "yes"}, {"rows", 30}, {"recall", 0.5}, {"precision", 0.8}, {"f1", 0.6}}}}};

TEST_F(Sections, TheBaseRateStandsBesideTheResult) {
  const std::string html = headline_html(record(two_classes, with_base));
  EXPECT_TRUE(says(html, "always answering “no” would get 30.00 % wrong")) << "on the same rows: " << html;
  EXPECT_FALSE(says(html, "class=\"alarm\""));
  EXPECT_TRUE(says(headline_html(record({{"rows", "test"}}, with_base)), "would get 40.00 % wrong"))
      << "without an analysis, on the validation rows";
}

TEST_F(Sections, AModelThatIsNoBetterThanTheBaseRateIsRed) {
  const auto with_error = [&](double error) {
    return headline_html(record(two_classes, [&](Json& summary) {
      with_base(summary);
      for (Json& net : summary["nets"]) net["test_error"] = error;
    }));
  };
  EXPECT_TRUE(says(with_error(0.3), "<em class=\"worse\">30.00 %</em>"));
  EXPECT_TRUE(says(with_error(0.29), "<em>29.00 %</em>"));
}

TEST_F(Sections, NetsOfAnEnsembleAreInTheModelAndOneNetIsChosen) {
  const std::string one = units_html(record(two_classes));
  EXPECT_TRUE(says(one, "7-7 units (chosen)")) << one.substr(0, 600);
  EXPECT_FALSE(says(one, "(in the model)"));
  const std::string several = units_html(record(two_classes, [](Json& summary) {
    Json together = summary["nets"][0];
    together["id"] = 3;
    together["members"] = {0, 2};
    summary["nets"].push_back(together);
    summary["best"] = 3;
  }));
  EXPECT_TRUE(says(several, "5-5 units (in the model)")) << several.substr(0, 600);
  EXPECT_TRUE(says(several, "6-6 units</option>"));
  EXPECT_FALSE(says(several, "(chosen)"));
}

TEST_F(Sections, AreasAreToldFromOne) {
  EXPECT_EQ(area_text(0.8744), "0.874");
  EXPECT_EQ(area_text(0.99982), "0.9998");
  EXPECT_EQ(area_text(1), "1.000");
  EXPECT_EQ(area_text(std::nan("")), "-");
}

TEST_F(Sections, AConstantModelIsAnAlarmAndHasNoBars) {
  Json analysis = two_classes;
  analysis["one_answer"] = true;
  analysis["importance"] = {{"fan_out", {{{"column", "a"}, {"value", 0.1}}}},
                            {"permutation", {{{"column", "a"}, {"value", 1e-5}}}}};
  analysis["dependence"] = Json::array();
  const RunRecord run = record(analysis, with_base);
  EXPECT_TRUE(says(headline_html(run), "<p class=\"alarm\">The model says the same of every row"));
  EXPECT_FALSE(says(importance_html(run), "class=\"bars\""));
  EXPECT_TRUE(says(importance_html(run), "no column matters"));
  EXPECT_TRUE(says(dependence_html(run), "no column does anything"));
  const auto with_loss = [](Json& summary) {
    with_base(summary);
    for (Json& net : summary["nets"]) net["log_loss"] = 0.5;
  };
  EXPECT_TRUE(says(headline_html(record(analysis, with_loss)), "learned nothing")) << "no column changes it";
  analysis["importance"]["permutation"][0]["value"] = 0.01;
  EXPECT_TRUE(says(headline_html(record(analysis, with_loss)), "probabilities do tell rows apart"));
  const auto with_luck = [](Json& summary) {
    with_base(summary);
    for (Json& net : summary["nets"]) net["log_loss"] = 0.5999;
  };
  EXPECT_TRUE(says(headline_html(record(analysis, with_luck)), "learned nothing"))
      << "by a hair, not by rows";
  EXPECT_TRUE(says(importance_html(record(analysis, with_base)), "class=\"bars\""))
      << "one class for all rows, whose probabilities a column changes";
}

TEST_F(Sections, CaptionsNameTheRows) {
  Json analysis{{"rows", "validation"}, {"n", 1234}, {"out_of_fold", true}};
  EXPECT_EQ(rows_text(record(analysis)), "1,234 rows, each answered by one net that did not learn from it");
  analysis["out_of_fold"] = false;
  EXPECT_EQ(rows_text(record(analysis)), "the 1,234 validation rows, which also chose the net");
  analysis["rows"] = "test";
  EXPECT_EQ(rows_text(record(analysis)), "the 1,234 test rows");
}

TEST_F(Sections, CalibrationOnRowsThatTheTemperatureWasFittedOnSaysSo) {
  const Json bins = {{{"confidence", 0.6}, {"accuracy", 0.7}, {"rows", 10}}};
  Json analysis{
      {"rows", "validation"},
      {"n", 10},
      {"calibration",
       {{"before", bins}, {"after", bins}, {"temperature", 1.2}, {"ece_before", 0.1}, {"ece_after", 0.1}}}};
  EXPECT_TRUE(says(calibration_html(record(analysis)), "fitted on these very rows"));
  analysis["calibration"]["crossed"] = true;
  EXPECT_TRUE(says(calibration_html(record(analysis)), "fitted on the other half"));
  analysis["rows"] = "test";
  EXPECT_FALSE(says(calibration_html(record(analysis)), "fitted on"));
}

TEST_F(Sections, AThresholdIsThatOfTheLikelierClassAtFirst) {
  Json analysis = two_classes;
  analysis["curves"] = {
      {{"class", "yes"}, {"auc", 0.875}, {"points", {{0.9, 0.1, 0.5, 0.7}, {0.1, 1, 1, 0.3}}}}};
  analysis["thresholds"] = {{"class", "yes"},
                            {"positives", 30},
                            {"negatives", 70},
                            {"at", {{0, 30, 70}, {0.5, 15, 5}, {1, 0, 0}}},
                            {"best_f1", 0.35}};
  const std::string html = curves_html(record(analysis));
  EXPECT_TRUE(says(html, "<output>0.5</output>"));
  EXPECT_TRUE(says(html, "<b data-fact=\"recall\">50.00 %</b>"));
  EXPECT_TRUE(says(html, "<b data-fact=\"precision\">75.00 %</b>"));
  EXPECT_TRUE(says(html, "<b data-fact=\"error\">20.00 %</b>"));
  EXPECT_TRUE(says(html, "<b data-fact=\"f1\">60.00 %</b>"));
  EXPECT_TRUE(says(html, "data-threshold=\"0.35\">best F1"));
  EXPECT_FALSE(says(html, "best balanced error"));
  EXPECT_TRUE(says(html, "0.875"));
}

TEST_F(Sections, ManyClassesHaveTheirMostFrequentMistakesListed) {
  Json analysis{{"rows", "test"}, {"n", 90}};
  Json counts = Json::array();
  std::vector<std::string> names;
  for (int a = 0; a < 9; ++a) {
    names.push_back(fmt::format("class {}", a));
    counts.push_back(std::vector<int>(9, 0));
    counts[a][a] = 10;
  }
  counts[4][2] = 7;
  analysis["confusion"] = {{"classes", names}, {"counts", counts}};
  const std::string html = confusion_html(record(analysis, with_base));
  EXPECT_TRUE(says(html, "most frequent mistakes"));
  EXPECT_TRUE(says(html, ">class 4</td><td data-label=\"taken for\">class 2</td>"));
  EXPECT_TRUE(says(html, "41.18 %")) << "7 of 17";
}

TEST_F(Sections, TheModelItselfIsInThePage) {
  const Table table = table_of_all_kinds(40);
  const Model model(model_of_all_kinds(table, "kind", {4}));
  Json analysis{{"rows", "test"}, {"n", 40}, {"typical", Json::array()}};
  for (const char* column : {"when", "age", "income", "city", "size"})
    analysis["typical"].push_back({{"column", column}, {"usual", "1"}, {"values", {"1", "2"}}});
  EXPECT_TRUE(says(whatif_html(record(analysis)), "has no file of this model"));
  write(layout::net_model(2), model.bytes());
  const std::string html = whatif_html(record(analysis));
  EXPECT_TRUE(says(html, "<div class=\"what-if\" data-model=\"{&quot;target&quot;:&quot;kind&quot;"));
  EXPECT_TRUE(says(html, "{&quot;column&quot;:&quot;when&quot;,&quot;kind&quot;:&quot;date&quot;"));
  EXPECT_TRUE(says(html, "&quot;ranks&quot;:{&quot;large&quot;:2,&quot;medium&quot;:1,&quot;small&quot;:0}"));
  analysis["typical"].erase(0);
  EXPECT_TRUE(says(whatif_html(record(analysis)), "Typical values of some columns are not known"));
  write(layout::net_model(2), "damaged");
  EXPECT_TRUE(says(whatif_html(record(analysis)), "has no file of this model"));
  const std::filesystem::path file = layout::in(directory(), layout::net_model(2));
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  EXPECT_THROW(record(analysis), Error) << "what cannot be read is no reason to leave it out in silence";
}

TEST_F(Sections, AModelThatIsTooLargeIsLeftOut) {
  const Table table = table_of_all_kinds(40);
  write(layout::net_model(2), Model(model_of_all_kinds(table, "kind", {600, 600})).bytes());
  EXPECT_TRUE(says(whatif_html(record({{"rows", "test"}, {"typical", Json::array()}})), "too many to carry"));
}

TEST_F(Sections, ManyNetsAreTheFrontAndTheOthers) {
  write_run({.nets = 20, .epochs = 12});
  const RunRecord run = read_run(directory());
  EXPECT_FALSE(says(nets_html(run), "The other")) << "all are on the front";
  RunRecord beaten = run;
  for (std::size_t i = 0; i < 15; ++i) beaten.nets[i].dominated = true;
  EXPECT_TRUE(says(nets_html(beaten), "<summary>The other 15 nets</summary>"));
}

TEST_F(Sections, EffectsAreChartsOfNumbersAndBarsOfTexts) {
  Json analysis = two_classes;
  analysis["averaged"] = 50;
  analysis["thresholds"] = {{"class", "yes"}};
  analysis["dependence"] = {
      {{"column", "age"}, {"number", true}, {"values", {"1", "2"}}, {"answers", {{0.9, 0.1}, {0.4, 0.6}}}},
      {{"column", "city"},
       {"number", false},
       {"values", {"Ulm", "Bonn"}},
       {"answers", {{0.7, 0.3}, {0.4, 0.6}}}},
      {{"column", "odd"}, {"number", true}, {"values", {"1"}}, {"answers", {{0.7, 0.3}, {0.4, 0.6}}}}};
  const std::string html = dependence_html(record(analysis, with_base));
  EXPECT_TRUE(says(html, "d=\"M1 -0.1L2 -0.6\"")) << "of the second class";
  EXPECT_TRUE(says(html, ">Ulm</span>"));
  EXPECT_TRUE(says(html, ">30 %</span>"));
  EXPECT_FALSE(says(html, "<h3>odd</h3>")) << "its parts do not fit together";
  EXPECT_TRUE(says(html, "over 50 test rows"));
}

TEST_F(Sections, ResidualsOfNumbers) {
  const RunRecord run =
      record({{"rows", "test"},
              {"n", 4},
              {"data", {{"target", {{"kind", "number"}}}}},
              {"actual_predicted", {{"actual", {1, 2, 3, 4}}, {"predicted", {1, 2, 4, 6}}}}});
  const std::string html = predictions_html(run);
  EXPECT_TRUE(says(html, "M6 2h0")) << "two too high";
  EXPECT_TRUE(says(html, "class=\"filled s1\""));
}

}  // namespace
}  // namespace coppice::test
