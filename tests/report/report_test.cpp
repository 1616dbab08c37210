#include "coppice/report/report.h"

#include "coppice/run/layout.h"

#include "tests/report/run_directory.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace coppice::test {
namespace {

using Report = RunDirectory;

constexpr std::size_t two_megabytes = 2'000'000;

/// Without gmock, which would print the whole page.
bool holds(const std::string& html, const std::string& part) {
  return html.find(part) != std::string::npos;
}

Json hostile_analysis() {
  const Json names = {hostile, "b"};
  return {
      {"net", 2},
      {"rows", "test"},
      {"n", 20},
      {"data",
       {{"file", hostile},
        {"format", "csv"},
        {"rows", {{"train", 70}, {"validation", 10}, {"test", 20}}},
        {"target",
         {{"name", hostile}, {"kind", "classes"}, {"classes", {{{"name", hostile}, {"rows", 50}}}}}},
        {"columns", {{{"name", hostile}, {"kind", hostile}, {"missing", 3}, {"inputs", 1}, {"mean", 0.5}}}},
        {"columns_total", 1}}},
      {"confusion", {{"classes", names}, {"counts", {{8, 2}, {1, 9}}}}},
      {"calibration",
       {{"before", {{{"confidence", 0.6}, {"accuracy", 0.8}, {"rows", 20}}}},
        {"after", {{{"confidence", 0.8}, {"accuracy", 0.8}, {"rows", 20}}}},
        {"temperature", 0.5},
        {"log_loss_before", 0.5},
        {"log_loss_after", 0.4},
        {"ece_before", 0.2},
        {"ece_after", 0.01}}},
      {"out_of_fold", false},
      {"one_answer", false},
      {"metrics", {{"error", 0.15}, {"log_loss", 0.4}, {"auc", 0.9}, {"balanced_error", 0.15}, {"f1", 0.85}}},
      {"per_class",
       {{{"class", hostile}, {"rows", 10}, {"precision", 0.89}, {"recall", 0.8}, {"f1", 0.84}},
        {{"class", "b"}, {"rows", 10}, {"precision", 0.82}, {"recall", 0.9}, {"f1", 0.86}}}},
      {"curves", {{{"class", hostile}, {"auc", 0.9}, {"points", {{0.9, 0, 0.5, 1}, {0.1, 1, 1, 0.5}}}}}},
      {"thresholds",
       {{"class", hostile},
        {"positives", 10},
        {"negatives", 10},
        {"at", {{0, 10, 10}, {0.5, 8, 1}, {1, 0, 0}}},
        {"best_f1", 0.4}}},
      {"averaged", 20},
      {"dependence",
       {{{"column", hostile},
         {"number", true},
         {"values", {"1", "2", "3"}},
         {"answers", {{0.9, 0.1}, {0.5, 0.5}, {0.2, 0.8}}}},
        {{"column", "city"},
         {"number", false},
         {"values", {hostile, "Ulm"}},
         {"answers", {{0.9, 0.1}, {0.5, 0.5}}}}}},
      {"interactions",
       {{{"columns", {hostile, "city"}},
         {"values", {{"1", "2"}, {hostile, "Ulm"}}},
         {"class", hostile},
         {"joint", 0.042},
         {"answers", {{0.1, 0.2}, {0.3, 0.9}}}}}},
      {"typical", {{{"column", hostile}, {"usual", "1"}, {"values", {"1", "2"}}}}},
      {"importance",
       {{"fan_out", {{{"column", hostile}, {"value", 1.5}}}},
        {"permutation", {{{"column", hostile}, {"value", 0.25}}}}}},
      {"network",
       {{"layers",
         {{{"kind", "input"}, {"units", 1}, {"fan_out", {1.0}}, {"names", {hostile}}},
          {{"kind", "hidden"}, {"units", 2}, {"fan_in", {1.0, 0.5}}, {"fan_out", {1.0, 0.5}}},
          {{"kind", "output"}, {"units", 2}, {"fan_in", {1.0, 0.5}}, {"names", names}}}},
        {"links",
         {{{"layer", 0}, {"from", 0}, {"to", 1}, {"weight", -0.5}},
          {{"layer", 7}, {"from", 0}, {"to", 1}, {"weight", 1}},
          {{"layer", 1}, {"from", 99}, {"to", 0}, {"weight", 1}}}}}}};
}

std::size_t count(const std::string& html, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = html.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

/// Points of the longest curve that has a name.
std::size_t longest_curve(const std::string& html) {
  std::size_t most = 0;
  for (std::size_t at = 0; (at = html.find("data-name=", at)) != std::string::npos; ++at) {
    const std::string path = html.substr(at, html.find("/>", at) - at);
    most = std::max(most, static_cast<std::size_t>(std::ranges::count(path, 'L')) + 1);
  }
  return most;
}

TEST_F(Report, AThousandEpochsOfTenNetsFitIntoTwoMegabytes) {
  write_run({.nets = 10, .epochs = 1000, .layers = 2, .born_per_epoch = 1});
  const std::string html = report_html(read_run(directory()));
  EXPECT_LT(html.size(), two_megabytes);
  EXPECT_EQ(count(html, "<option value=\"0\">lambda"), 4U) << "every net can be looked at in four sections";
  EXPECT_EQ(count(html, "<div data-net="), 4 * 10U);
  EXPECT_LE(longest_curve(html), 450U) << "long curves are thinned";
  EXPECT_GT(longest_curve(html), 200U) << "but not to nothing";
}

TEST_F(Report, TenTimesTheEpochsMakeThePageLittleLarger) {
  write_run({.nets = 2, .epochs = 600, .layers = 2, .born_per_epoch = 1});
  const std::string shorter = report_html(read_run(directory()));
  write_run({.nets = 2, .epochs = 6000, .layers = 2, .born_per_epoch = 1});
  const std::string longer = report_html(read_run(directory()));
  EXPECT_LT(longer.size(), 2 * shorter.size());
  EXPECT_LE(count(longer, "<path"), count(shorter, "<path"));
}

TEST_F(Report, DeepNetsWithManyBirthsFitToo) {
  write_run({.nets = 14, .epochs = 300, .layers = 5, .born_per_epoch = 10});
  EXPECT_LT(report_html(read_run(directory())).size(), two_megabytes);
}

TEST_F(Report, TheUsersTextStaysText) {
  write_run({});
  write("analysis.json", hostile_analysis().dump());
  const std::string html = report_html(read_run(directory()));
  EXPECT_FALSE(holds(html, "<img"));
  EXPECT_TRUE(holds(html, "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;"));
  EXPECT_EQ(count(html, "</script"), 1U) << "the page's own";
}

TEST_F(Report, NothingIsFetched) {
  write_run({});
  const std::string html = report_html(read_run(directory()));
  EXPECT_TRUE(holds(html, "default-src 'none'"));
  for (const char* part :
       {"<link", "<script src", "<img", "@import", "url(", "https:", "innerHTML", "fetch("})
    EXPECT_FALSE(holds(html, part)) << part;
  EXPECT_EQ(count(html, "http:"), 1U) << "the name of SVG's elements";
}

TEST_F(Report, EverySectionIsThere) {
  write_run({});
  write("analysis.json", hostile_analysis().dump());
  const std::string html = report_html(read_run(directory()));
  std::size_t last = 0;
  for (const char* id :
       {"headline", "confusion", "curves", "calibration", "importance", "dependence", "whatif", "front",
        "units", "learning", "lives", "lengths", "network", "nets", "data", "configuration"}) {
    const std::size_t place = html.find(fmt::format("<section id=\"{}\">", id));
    ASSERT_NE(place, std::string::npos) << id;
    EXPECT_GT(place, last) << id << ": answers first, then the method";
    last = place;
  }
  EXPECT_FALSE(holds(html, "no analysis.json"));
  EXPECT_FALSE(holds(html, "earlier version"));
  EXPECT_TRUE(holds(html, "hidden layers of <em>7 and 7</em> units"));
  EXPECT_TRUE(holds(html, "<em>7.00 %</em> of the test rows wrong"));
}

TEST_F(Report, WithoutAnAnalysisThoseSectionsSaySo) {
  write_run({});
  EXPECT_TRUE(holds(report_html(read_run(directory())), "This run has no analysis.json"));
}

TEST_F(Report, AnAnalysisOfAnEarlierVersionIsCalledSo) {
  write_run({});
  Json analysis = hostile_analysis();
  for (const char* key : {"curves", "dependence", "typical"}) analysis.erase(key);
  write("analysis.json", analysis.dump());
  EXPECT_EQ(count(report_html(read_run(directory())), "is of an earlier version"), 3U);
}

TEST_F(Report, NumbersArePredictedAgainstActual) {
  write_run({});
  write("analysis.json",
        R"({"rows":"test","data":{"target":{"kind":"number","name":"y"}},
            "actual_predicted":{"actual":[1,2,3,null],"predicted":[1,2,4,5]}})");
  const std::string html = report_html(read_run(directory()));
  EXPECT_TRUE(holds(html, "<section id=\"predictions\">"));
  EXPECT_FALSE(holds(html, "<section id=\"confusion\">"));
  EXPECT_FALSE(holds(html, "<section id=\"calibration\">"));
}

TEST_F(Report, AnAnalysisOfAnotherShapeDoesNoHarm) {
  write_run({});
  for (const char* analysis :
       {"{}", R"({"network":{"layers":[1,{"kind":2}],"links":[{}]},"confusion":[1]})",
        R"({"image_importance":{"rows":1e9,"cols":2,"fan_out":[1]},"importance":null})",
        R"({"calibration":{"before":[1],"after":{}},"data":{"columns":3,"target":[]}})"}) {
    write("analysis.json", analysis);
    EXPECT_TRUE(holds(report_html(read_run(directory())), "</html>")) << analysis;
  }
}

TEST_F(Report, TheSameRunGivesTheSameBytes) {
  write_run({});
  EXPECT_EQ(report_html(read_run(directory())), report_html(read_run(directory())));
  EXPECT_EQ(write_report(directory()), path("report.html"));
}

/// No command could train on it again, and there is no file to name.
TEST_F(Report, ATableInMemoryIsNoFile) {
  write_run({});
  write("analysis.json", hostile_analysis().dump());
  Json config = read_json(path("config.json"));
  config["data"] = nullptr;
  write("config.json", config.dump());
  const std::string html = report_html(read_run(directory()));
  EXPECT_TRUE(holds(html, "<h1>a table in memory</h1>"));
  EXPECT_TRUE(holds(html, "from the code that made it"));
  EXPECT_TRUE(holds(html, "A table in memory: "));
  EXPECT_FALSE(holds(html, "coppice train"));
}

TEST_F(Report, NetsThatFailedAreListedAndNotDrawn) {
  write_run({});
  write_summary(
      Json::parse(R"([{"id":0,"lambda":0.1,"seed":0,"hidden_units":[1,1],"parameters":9,"train_loss":null,
      "validation_error":null,"test_error":null,"epochs":1,"phase":"failed","model":"net-0.coppice"}])"));
  const std::string html = report_html(read_run(directory()));
  EXPECT_TRUE(holds(html, "failed: loss not finite"));
  EXPECT_TRUE(holds(html, "No net came to a finite validation error."));
}

}  // namespace
}  // namespace coppice::test
