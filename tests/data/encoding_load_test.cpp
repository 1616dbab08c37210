#include "tests/data/encoding_tables.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using namespace coppice::testing;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A model of a table with a number, a text and an id column.
Encoding model(Format format = Format::csv) {
  EncodingOptions options = with_target("species");
  options.ids = {"id"};
  const Written file{{{"id", {"u", "v", "w", "z"}},
                      {"height", {"1", "2", "", "5"}},
                      {"colour", {"red", "blue", "red", "blue"}},
                      {"species", {"rose", "lily", "rose", "lily"}}},
                     format};
  return Trained(file, options).encoding;
}

struct Loaded {
  std::vector<std::string> warnings;
  Dataset data;

  Loaded(const Written& file, const Encoding& encoding, bool with_target)
      : Loaded(file.table(hints_for(encoding, with_target)), encoding, with_target) {}
  Loaded(const Table& table, const Encoding& encoding, bool with_target) {
    data = encode(table, encoding, with_target, warnings);
  }
};

TEST(EncodingLoad, ColumnsAreMatchedByNameWhateverTheirOrder) {
  const Written file{{{"colour", {"blue", "red"}},
                      {"species", {"rose", "lily"}},
                      {"height", {"2", "1"}},
                      {"id", {"a", "b"}}}};
  const Loaded loaded(file, model(), true);
  EXPECT_THAT(loaded.warnings, IsEmpty());
  EXPECT_THAT(loaded.data.labels, ElementsAre(1U, 0U));
  EXPECT_GT(loaded.data.inputs(0, 0), loaded.data.inputs(1, 0));
}

TEST(EncodingLoad, PredictingNeedsNoTargetAndSkipsOne) {
  Written file{{{"height", {"2", "1"}}, {"colour", {"blue", "red"}}, {"id", {"a", "b"}}}};
  EXPECT_THAT(Loaded(file, model(), false).data.labels, IsEmpty());
  EXPECT_THAT(message_of([&] { Loaded(file, model(), true); }),
              AllOf(HasSubstr("data.csv"), HasSubstr("target column \"species\"")));
  file.columns.push_back({"species", {"?", "rose"}});
  const Loaded loaded(file, model(), false);
  EXPECT_THAT(loaded.data.labels, IsEmpty());
  EXPECT_THAT(message_of([&] { Loaded(file, model(), true); }),
              AllOf(HasSubstr("data.csv: line 2, column 4 (\"species\")"), HasSubstr("missing")));
  EXPECT_THAT(loaded.warnings, IsEmpty());
}

TEST(EncodingLoad, MissingColumnsAreNamedAndTheNearestSuggested) {
  const Written slip{{{"heigth", {"2"}}, {"colour", {"red"}}, {"id", {"a"}}}};
  EXPECT_THAT(message_of([&] { Loaded(slip, model(), false); }),
              AllOf(HasSubstr("data.csv"), HasSubstr("the column \"height\""),
                    HasSubstr("did you mean \"heigth\""), HasSubstr("heigth, colour, id")));
  const Written none{{{"a", {"2"}}}};
  EXPECT_THAT(message_of([&] { Loaded(none, model(), false); }), HasSubstr("columns \"height\", \"colour\""));
}

TEST(EncodingLoad, ExtraColumnsAndAbsentIdsAreWarnings) {
  const Written file{{{"height", {"2"}}, {"colour", {"red"}}, {"mood", {"good"}}, {"weather", {"bad"}}}};
  EXPECT_THAT(Loaded(file, model(), false).warnings,
              ElementsAre(AllOf(HasSubstr("ignored"), HasSubstr("mood, weather")),
                          AllOf(HasSubstr("id columns"), HasSubstr(": id"))));
}

TEST(EncodingLoad, ColumnsThatALibsvmFileDoesNotMentionAreZero) {
  const Written training{
      {{"label", {"1", "-1", "1", "-1"}}, {"1", {"0", "2", "0", "4"}}, {"2", {"1", "0", "3", "0"}}},
      Format::libsvm};
  const Encoding encoding = Trained(training).encoding;
  const Loaded loaded({{{"label", {"-1", "+1"}}, {"1", {"2", "0"}}}, Format::libsvm}, encoding, true);
  EXPECT_THAT(loaded.warnings, IsEmpty());
  EXPECT_THAT(loaded.data.labels, ElementsAre(0U, 1U));
  const double zero = encoding.columns[1].squash(0);
  ASSERT_NE(zero, 0.0);
  EXPECT_FLOAT_EQ(loaded.data.inputs(0, 1),
                  static_cast<float>((zero - encoding.offset[1]) * encoding.factor[1]));
  EXPECT_EQ(loaded.data.inputs(0, 1), Loaded(training, encoding, true).data.inputs(1, 1));
}

TEST(EncodingLoad, UnknownCategoriesAndMissingCellsAreTakenAsOtherAndFill) {
  const Encoding encoding = model();
  const Loaded loaded({{{"height", {"NA", "2"}}, {"colour", {"green", ""}}, {"id", {"a", "b"}}}}, encoding,
                      false);
  EXPECT_FLOAT_EQ(
      loaded.data.inputs(0, 0),
      static_cast<float>((encoding.columns[0].squash(encoding.columns[0].fill) - encoding.offset[0]) *
                         encoding.factor[0]));
  EXPECT_GT(loaded.data.inputs(0, 1), 0.0F);
  for (std::size_t row = 0; row < 2; ++row) {
    EXPECT_LT(loaded.data.inputs(row, 2), 0.0F);
    EXPECT_LT(loaded.data.inputs(row, 3), 0.0F);
    EXPECT_EQ(loaded.data.inputs(row, 4), 0.0F);
  }
}

TEST(EncodingLoad, ClassesThatTrainingNeverSawAreCountedAndNamed) {
  const Cells target{"rose", "c1", "c2", "c3", "c4", "c5", "c6", "c6"};
  const auto of = [&](const char* text) { return Cells(target.size(), text); };
  const Loaded loaded({{{"height", of("1")}, {"colour", of("red")}, {"id", of("a")}, {"species", target}}},
                      model(), true);
  EXPECT_THAT(loaded.data.labels, ElementsAre(1U, 2U, 2U, 2U, 2U, 2U, 2U, 2U));
  EXPECT_THAT(loaded.warnings, ElementsAre(AllOf(HasSubstr("7 of 8 rows"), HasSubstr("\"c1\""),
                                                 HasSubstr("\"c5\" and 1 more"))));
}

TEST(EncodingLoad, NumberClassesMatchByValue) {
  const Encoding encoding = Trained({{{"x", {"1", "2", "3", "4"}}, {"y", {"0", "1", "0", "1"}}}}).encoding;
  const Loaded loaded({{{"x", {"1", "2", "3"}}, {"y", {"1.0", "0.0", "one"}}}}, encoding, true);
  EXPECT_THAT(loaded.data.labels, ElementsAre(1U, 0U, 2U));
}

TEST(EncodingLoad, CellsThatAreNoNumbersAreNamed) {
  const Written file{{{"height", {"2", "tall"}}, {"colour", {"red", "blue"}}, {"id", {"a", "b"}}}};
  for (const Table& table : {file.table(), file.table(hints_for(model(), false))}) {
    EXPECT_THAT(message_of([&] { Loaded(table, model(), false); }),
                AllOf(HasSubstr("data.csv: line 3, column 1 (\"height\")"),
                      HasSubstr("\"tall\" is not a number"), HasSubstr("`categorical` height")));
  }
}

TEST(EncodingLoad, ATextBehindADeclaredValueThatIsSpelledLikeAMissingMarkerIsNamed) {
  Written file{
      {{"height", {"2", "NA", "tall"}}, {"colour", {"red", "blue", "red"}}, {"id", {"a", "b", "c"}}}};
  file.declared_values = {{"height", {"2", "NA", "tall"}}};
  EXPECT_THAT(message_of([&] { Loaded(file, model(), false); }),
              AllOf(HasSubstr("line 4, column 1 (\"height\")"), HasSubstr("\"tall\" is not a number")));
}

TEST(EncodingLoad, TextsThatWereNotKeptAreRefusedUnlessTheReaderWasTold) {
  const std::size_t rows = 1200;
  const Written file{{{"height", cells(rows, [](auto) { return "1"; })},
                      {"colour", cells(rows, [](auto i) { return std::to_string(i); })},
                      {"id", cells(rows, [](auto) { return "a"; })}}};
  EXPECT_THAT(message_of([&] { Loaded(file.table(), model(), false); }),
              AllOf(HasSubstr("\"colour\""), HasSubstr("not kept"), HasSubstr("when the file is read")));
  EXPECT_EQ(Loaded(file, model(), false).data.rows(), rows);
}

}  // namespace
}  // namespace coppice
