#include "coppice/exports/c_header.h"

#include "coppice/exports/export.h"

#include "tests/exports/c_programs.h"
#include "tests/exports/exported_models.h"

#include <gmock/gmock.h>
#include <sstream>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using test::message_of;
using ::testing::HasSubstr;

using CHeaders = test::CPrograms;

/// That lines of an answer and outputs are what `predict` gives.
void expect_predicted(std::istream& lines, const Model& model, const Table& rows) {
  const Prediction prediction = model.predict(rows);
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    std::uint32_t answer = 0;
    ASSERT_TRUE(lines >> answer) << row;
    double output = 0;
    if (model.task() == Task::regression) {
      ASSERT_TRUE(lines >> output);
      EXPECT_EQ(answer, 0U);
      EXPECT_NEAR(output, prediction.values[row], 1e-5 * std::max(1.0, std::fabs(prediction.values[row])));
      continue;
    }
    EXPECT_EQ(answer, prediction.classes[row]) << row;
    for (const double chance : prediction.probabilities_of(row)) {
      ASSERT_TRUE(lines >> output);
      EXPECT_NEAR(output, chance, 1e-5) << row;
    }
  }
}

TEST_F(CHeaders, SayWhatPredictSaysWithEveryCompiler) {
  const std::vector<test::ExportedCase> cases = test::exported_cases();
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string name = fmt::format("net{}", i);
    write(name + ".h", export_model(cases[i].model, {.format = ExportFormat::c, .name = name}));
    rows.push_back(rows_text(lower(cases[i].model), cases[i].rows));
  }
  std::string defines;
  for (std::size_t i = 0; i < cases.size(); ++i) defines += fmt::format("#define NET{}_SELF_TEST\n", i);
  write("ask.c", defines + asking("net", rows));
  const bool asked = ask_with_every_compiler([&](std::istream& lines) {
    for (const test::ExportedCase& one : cases) {
      SCOPED_TRACE(one.name);
      expect_predicted(lines, one.model, one.rows);
    }
  });
  if (!asked) GTEST_SKIP() << "there is neither gcc nor clang";
}

TEST_F(CHeaders, HaveAnExpOfTheirOwn) {
  const Model model(test::model_of_all_kinds(test::table_of_all_kinds(50), "kind", {3}));
  write("net.h", export_model(model, {.format = ExportFormat::c, .name = "net"}));
  write("ask.c", R"(#include "net.h"
#include <stdio.h>
int main(void) {
  int i;
  for (i = -860; i <= 887; i++) printf("%.9g\n", (double)net_exp((float)i / 10.0f));
  printf("%g %g", (double)net_exp(-87.0f), (double)net_exp(-3e38f));
  return net_exp(NAN) == net_exp(NAN);
}
)");
  const bool asked = ask_with_every_compiler([](std::istream& lines) {
    double said = 0;
    for (int i = -860; i <= 887; ++i) {
      const double right = std::exp(static_cast<double>(static_cast<float>(i) / 10.0F));
      ASSERT_TRUE(lines >> said);
      EXPECT_NEAR(said / right, 1, 5e-7) << i;
    }
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE(lines >> said);
      EXPECT_EQ(said, 0);
    }
  });
  if (!asked) GTEST_SKIP() << "there is neither gcc nor clang";
}

TEST_F(CHeaders, FindTextsAndDates) {
  if (!have("gcc")) GTEST_SKIP() << "there is no gcc";
  const Table table = test::table_of_all_kinds(100);
  const Model model(test::model_of_all_kinds(table, "kind", {3}));
  write("all.h", export_model(model, {.format = ExportFormat::c, .name = "all"}));
  write("ask.c", R"(#include "all.h"
#include <stdio.h>
int main(void) {
  float row[ALL_CELLS];
  const char *const cities[] = {"Bonn", "Kiel", "Ulm", "ulm", "", NULL};
  const char *const sizes[] = {"small", "medium", "large", " LARGE ", "huge", ""};
  int i;
  for (i = 0; i < 6; i++) printf("%g %g|", all_category(ALL_CITY, cities[i]), all_category(ALL_SIZE_RANK, sizes[i]));
  all_set_when(row, 1969, 12, 31, 6);
  printf("%g %g %g|", row[ALL_WHEN_DAY], row[ALL_WHEN_MONTH], row[ALL_WHEN_WEEKDAY]);
  all_set_when(row, 2024, 2, 29, 0);
  printf("%g %g %g|", row[ALL_WHEN_DAY], row[ALL_WHEN_MONTH], row[ALL_WHEN_WEEKDAY]);
  for (i = 0; i < ALL_CELLS; i++) row[i] = 1;
  row[ALL_INCOME] = -HUGE_VALF;
  float out[ALL_OUTPUTS];
  printf("%d %s\n", all_predict(row, out), all_classes[2]);
  return 0;
}
)");
  printed("gcc -std=c99 -Wall ask.c -o ask -lm");
  const Encoding& encoding = model.parts().encoding;
  const double origin = encoding.derived.back().origin;
  const std::vector<std::string>& cities = encoding.columns[2].categories;
  ASSERT_THAT(cities, ::testing::ElementsAre("", "Bonn", "Kiel", "Ulm"));
  EXPECT_EQ(printed("./ask | sed s/-nan/nan/g"),
            fmt::format("1 0|2 1|3 2|4 2|nan nan|nan nan|{:g} 12 3|{:g} 2 4|-2 c\n", -1 - origin + 0.25,
                        19782 - origin));
}

TEST_F(CHeaders, SayWhatTheyTake) {
  const Table table = test::table_of_all_kinds(100);
  const Model model(test::model_of_all_kinds(table, "kind", {3}));
  const CHeader header = c_header(model, "net");
  const LoweredModel lowered = lower(model);
  EXPECT_EQ(header.multiplications, lowered.nets.front().multiplications());
  EXPECT_THAT(header.text, HasSubstr(fmt::format("flash: {} bytes", header.constant_bytes)));
  EXPECT_THAT(header.text, HasSubstr(fmt::format("RAM: {} bytes", header.stack_bytes)));
  EXPECT_THAT(header.text, HasSubstr(fmt::format("{} multiplications", header.multiplications)));
  if (!have("gcc") || !have("size")) GTEST_SKIP() << "there is no gcc, or no size";
  write("net.h", header.text);
  write("all.c",
        "#include \"net.h\"\nint f(const float *r, float *o) { return net_predict(r, o); }\n"
        "const char *g(int k) { return net_classes[k]; }\n"
        "float h(int c, const char *t) { return net_category(c, t); }\n");
  printed("gcc -std=c99 -Os -c all.c -o all.o");
  // Pointers of this machine are longer, and the code comes to it.
  std::istringstream sizes(printed("size all.o | tail -1"));
  std::size_t text = 0;
  std::size_t data = 0;
  sizes >> text >> data;
  EXPECT_GE(text + data, header.constant_bytes);
  EXPECT_LE(text + data, header.constant_bytes + 5000);
}

TEST_F(CHeaders, RefuseNamesThatCDoesNotTake) {
  const Model model(test::model_of_all_kinds(test::table_of_all_kinds(100), "kind", {3}));
  for (const std::string name : {"", "2nd", "my net", "_net", "n\u00e4"}) {
    EXPECT_THAT(message_of([&] { c_header(model, name); }), HasSubstr("begin with a letter")) << name;
  }
}

TEST_F(CHeaders, TakeAnyNameOfColumnsAndTexts) {
  if (!have("gcc")) GTEST_SKIP() << "there is no gcc";
  const std::string odd = "a*/b/*\"?\?/\\$@{}\n";
  Table table;
  std::vector<std::string> texts;
  std::vector<std::string> more;
  std::vector<std::string> kinds;
  for (int i = 0; i < 60; ++i) {
    texts.push_back(i % 2 == 0 ? odd : "\u00e91");
    more.emplace_back(i % 3 == 0 ? "%s" : "x");
    kinds.push_back(i % 3 == 0 ? odd : i % 3 == 1 ? "cells" : "c");
  }
  table.add_texts("cells", texts);
  table.add_texts("CELLS", more);
  table.add_texts(odd, more);
  table.add_texts("kind", kinds);
  table.add_numbers("price", std::vector<double>(60, 1.0));
  const Model model(test::model_of_all_kinds(table, "kind", {3}));
  write("net0.h", export_model(model, {.format = ExportFormat::c, .name = "net0"}));
  write("ask.c", "#define NET0_SELF_TEST\n" + asking("net", {rows_text(lower(model), table)}));
  printed(fmt::format("gcc -std=c99 -trigraphs {} ask.c -o ask -lm", test::c_warnings));
  std::istringstream lines(printed("./ask"));
  expect_predicted(lines, model, table);
}

}  // namespace
}  // namespace coppice
