// Prediction intervals and sets of classes as flags.
#include "tests/cli/program.h"

#include <algorithm>
#include <array>
#include <gmock/gmock.h>

#include <fmt/format.h>
#include <zlib.h>

namespace coppice::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Interval : public Program {
 protected:
  /// One input, and of three classes, with letters in their names that mean something, the right one or any.
  static std::string words_csv(std::size_t rows) {
    const std::array<std::string, 3> words{"a|b", R"(c\d)", "e"};
    std::string text = "x,y\n";
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t third = i * 7919 % 30;
      text += fmt::format("{},{}\n", third, words[i % 4 == 0 ? i / 4 % 3 : third / 10]);
    }
    return text;
  }
};

TEST_F(Interval, NumbersGetBounds) {
  write("d.csv", linear_csv(150));
  ok({"train", "d.csv", "--target", "y", "--effort", "quick", "--ensemble", "3", "--hidden-layers", "1", "-o",
      "run", "--quiet"});
  const auto rows = cells_of(ok({"predict", "run", "d.csv", "--interval", "0.9"}).out);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"prediction", "lower", "upper"}));
  ASSERT_EQ(rows.size(), 151U);
  for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_LT(std::stod(rows[i][1]), std::stod(rows[i][2]));
  EXPECT_EQ(cells_of(ok({"predict", "run", "d.csv"}).out)[0], std::vector<std::string>{"prediction"});
  const Json said = ok({"evaluate", "run", "d.csv", "--interval", "0.9", "--json"}).json();
  EXPECT_EQ(said["interval"]["level"], 0.9);
  EXPECT_GT(said["interval"]["coverage"], 0.8);
  EXPECT_GT(said["interval"]["mean_width"], 0.0);
  EXPECT_FALSE(ok({"evaluate", "run", "d.csv", "--json"}).json().contains("interval"));
  EXPECT_THAT(ok({"evaluate", "run", "d.csv", "--interval", "0.9"}).out,
              HasSubstr("intervals at 0.9: right for"));
  EXPECT_THAT(ok({"inspect", "run/model.coppice"}).out, HasSubstr("from 150 rows, for up to 0.9934"));
  EXPECT_EQ(ok({"inspect", "run/model.coppice", "--json"}).json()["conformity"]["rows"], 150);
  refused({"predict", "run", "d.csv", "--interval", "0.999"}, {"--interval 0.999", "150 rows", "0.9934"});
  refused({"predict", "run", "d.csv", "--interval", "90"}, {"--interval 90", "between 0 and 1"});
  refused({"evaluate", "run", "d.csv", "--interval", "x"}, {"--interval"});
}

TEST_F(Interval, ClassesGetSetsWhoseNamesCanBeToldApart) {
  write("d.csv", words_csv(240));
  ok({"train", "d.csv", "--target", "y", "--effort", "quick", "--ensemble", "off", "--validation", "0.5",
      "-o", "run", "--quiet"});
  const auto rows = cells_of(ok({"predict", "run", "d.csv", "--interval", "0.98"}).out);
  ASSERT_EQ(rows[0].size(), 6U);
  EXPECT_EQ(rows[0][4], "set");
  EXPECT_EQ(rows[0][5], "set_size");
  std::size_t several = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    std::string begin;  // of the set: the answer
    for (const char c : rows[i][0])
      begin += c == '|' || c == '\\' ? fmt::format("\\{}", c) : std::string(1, c);
    EXPECT_THAT(rows[i][4], ::testing::StartsWith(begin));
    // Bars between names have no stroke before them.
    std::size_t names = 1;
    for (std::size_t at = 1; at < rows[i][4].size(); ++at)
      names += rows[i][4][at] == '|' && rows[i][4][at - 1] != '\\' ? 1 : 0;
    EXPECT_EQ(std::to_string(names), rows[i][5]) << rows[i][4];
    several += names > 1 ? 1 : 0;
  }
  EXPECT_GT(several, 100U) << "a quarter of the rows is any class";
  const Json said = ok({"evaluate", "run", "d.csv", "--interval", "0.98", "--json"}).json();
  EXPECT_GT(said["interval"]["coverage"], 0.9);
  EXPECT_GT(said["interval"]["mean_size"], 1.2);
  EXPECT_THAT(ok({"evaluate", "run", "d.csv", "--interval", "0.98"}).out,
              AllOf(HasSubstr("sets of classes at 0.98"), HasSubstr("mean size"), Not(HasSubstr("width"))));
}

std::string unpacked(const std::string& file) {
  std::string text;
  std::array<char, 1 << 16> buffer{};
  gzFile from = gzopen(file.c_str(), "rb");
  while (from != nullptr) {
    const int size = gzread(from, buffer.data(), buffer.size());
    if (size <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
  if (from != nullptr) gzclose(from);
  return text;
}

/// Published tables, every third row to test. docs/intervals.md has all of them, with usual effort.
TEST_F(Interval, OfRealTablesAreRightAsOftenAsTheySay) {
  for (const std::string name : {"boston", "pima", "vowel"}) {
    const std::string file = COPPICE_TEST_DATA "/tables/" + name + ".csv.gz";
    if (!std::filesystem::exists(file))
      GTEST_SKIP() << "there is no " << file << "; configure with -DCOPPICE_TEST_DATA=DIR";
    const std::vector<std::string> lines = lines_of(unpacked(file));
    std::string train = lines[0] + "\n";
    std::string test = train;
    for (std::size_t i = 1; i < lines.size(); ++i) (i % 3 == 0 ? test : train) += lines[i] + "\n";
    write("train.csv", train);
    write("test.csv", test);
    ok({"train", "train.csv", "--target", "target__", "--effort", "quick", "-o", name, "--quiet"});
    const Json said = ok({"evaluate", name, "test.csv", "--interval", "0.9", "--json"}).json();
    EXPECT_GE(said["interval"]["coverage"], 0.85) << name << ": 0.9, less two standard errors of so few rows";
  }
}

}  // namespace
}  // namespace coppice::test
