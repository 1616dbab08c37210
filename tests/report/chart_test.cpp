#include "coppice/report/chart.h"

#include "tests/xml.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

namespace coppice::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

NumberText plain() {
  return [](double value) { return fmt::format("{:g}", value); };
}

Chart chart(const Scale& x = {.low = 0, .high = 50}, const Scale& y = {.low = 0.25, .high = 1.25}) {
  return {"a < b",
          {.name = "epoch", .scale = x, .text = plain()},
          {.name = "error", .scale = y, .text = plain()}};
}

TEST(Chart, CurvesLieInTheCoordinatesOfTheData) {
  Chart example = chart();
  example.curve({.x = {1, 2, 3}, .y = {0.5, 1.23456, 0}}, "curve s1", "layer 1");
  const std::string svg = example.str();
  EXPECT_THAT(svg, HasSubstr(R"(<path class="curve s1" data-name="layer 1" d="M1 -0.5L2 -1.235L3 0"/>)"));
  EXPECT_THAT(svg, HasSubstr(R"(preserveAspectRatio="none" viewBox="0 -1.25 50 1")"));
  EXPECT_EQ(xml_fault(svg), "");
}

TEST(Chart, MarksStandAtPercentagesOfTheArea) {
  Chart example = chart();
  example.mark(25, 1, 5, "dot", "one\ntwo");
  example.line(0, 0.25, 50, 1.25, "whisker");
  example.band(Chart::Depth::behind, 10, 20, "wash", "grow");
  const std::string svg = example.str();
  EXPECT_THAT(
      svg, HasSubstr("<circle class=\"dot\" cx=\"50%\" cy=\"25%\" r=\"5\"><title>one\ntwo</title></circle>"));
  EXPECT_THAT(svg, HasSubstr(R"(<line class="whisker" x1="0%" y1="100%" x2="100%" y2="0%"/>)"));
  EXPECT_THAT(svg,
              HasSubstr(R"(<rect class="wash" x="20%" width="20%" height="100%" data-from="10" data-to="20" )"
                        R"(data-note="grow"/>)"));
  EXPECT_EQ(xml_fault(svg), "");
}

TEST(Chart, WhatIsBehindIsDrawnFirst) {
  Chart example = chart();
  example.band(Chart::Depth::before, 1, 2, "veil", "");
  example.curve({.x = {1}, .y = {1}}, "curve");
  example.band(Chart::Depth::behind, 1, 2, "wash", "");
  const std::string svg = example.str();
  EXPECT_LT(svg.find("wash"), svg.find("\"curve\""));
  EXPECT_LT(svg.find("\"curve\""), svg.find("veil"));
}

TEST(Chart, ALogarithmicAxisHasItsCurvesInLogarithms) {
  Chart example = chart({.low = 10, .high = 1000, .log = true});
  example.curve({.x = {10, 100}, .y = {1, 0.5}}, "front-line");
  example.mark(100, 1, 5, "dot", "");
  EXPECT_THAT(example.str(), HasSubstr(R"(d="M1 -1L2 -0.5")"));
  EXPECT_THAT(example.str(), HasSubstr(R"(viewBox="1 -1.25 2 1")"));
  EXPECT_THAT(example.str(), HasSubstr(R"(cx="50%")"));
}

TEST(Chart, TextIsEscaped) {
  Chart example("\"><img>", {.name = "<x>", .scale = {}},
                {.name = "<y>", .scale = {}, .text = [](double) { return std::string("<5"); }});
  example.mark(0, 0, 1, "dot", "</title><script>");
  example.curve({.x = {0}, .y = {0}}, "curve", "\" onload=\"x");
  example.band(Chart::Depth::behind, 0, 1, "wash", "\"><img>");
  example.strip(0, 1, "wash", "<b>");
  const std::string svg = example.in_percent().height(120).str();
  for (const char* part : {"<img", "<script", "<x>", "<y>", "<5", "<b>", "\" onload"})
    EXPECT_THAT(svg, Not(HasSubstr(part)));
  EXPECT_THAT(svg, HasSubstr(R"( data-unit="percent" height="120")"));
  EXPECT_EQ(xml_fault(svg), "");
}

TEST(Chart, AxesWithoutLabelsHaveNone) {
  const std::string svg = Chart("", {.name = "x", .scale = {}}, {.name = "y", .scale = {}}).str();
  EXPECT_THAT(svg, Not(HasSubstr("grid")));
  EXPECT_THAT(chart().str(), HasSubstr("class=\"grid\""));
  EXPECT_THAT(chart().str(),
              HasSubstr(R"(<text class="odd" x="10%" y="100%" dy="17" text-anchor="middle">5</text>)"));
}

}  // namespace
}  // namespace coppice::test
