// Data that cannot be learned from:
// exit code 2, one sentence, nothing created, changed or removed.
#include "tests/cli/program.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

namespace coppice::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class BadData : public Program {
 protected:
  /// Training on such a file is refused.
  void refused_data(const std::string& name, std::string_view bytes, const std::vector<std::string>& parts,
                    const Arguments& flags = {}) const {
    write(name, bytes);
    std::vector<std::string> all{name};
    all.insert(all.end(), parts.begin(), parts.end());
    refused(Arguments{"train", name, "-o", "new/run"} + flags, all);
  }
};

TEST_F(BadData, FilesThatCannotBeRead) {
  refused({"train", "nothing.csv", "-o", "run"}, {"nothing.csv", "No such file"});
  refused_data("empty.csv", "", {"empty"});
  refused_data("blank.csv", "\n\n  \n", {});
  refused_data("header.csv", "a,b\n", {"no row of data"});
  std::filesystem::create_directories(path("folder"));
  refused({"train", "folder", "-o", "run"}, {"folder", "directory"});
  refused_data("binary.csv", std::string_view("a,b\n1,\0\n", 8), {"line 2", "zero byte"});
  refused({"train", "", "-o", "run"}, {"data file"});
}

TEST_F(BadData, RowsThatAreNotWellFormed) {
  refused_data("ragged.csv", "a,b,y\n1,2,x\n1,2\n3,4,y\n", {"line 3", "2", "3"}, {"--target", "y"});
  refused_data("quote.csv", "a,y\n\"1,x\n2,y\n3,z\n", {"line 2", "quote"}, {"--target", "y"});
  refused_data("twice.csv", "a,b,a\n1,2,3\n", {"line 1", "\"a\"", "columns 1 and 3"}, {"--target", "b"});
  refused_data("index.libsvm", "1 1:2\n-1 0:3\n", {"line 2", "index 0", "start at 1"});
  refused_data("value.arff", "@relation r\n@attribute a {x,y}\n@attribute class {p,q}\n@data\nx,p\nz,q\n",
               {"line 6", "column 1 (\"a\")", "\"z\"", "declared"});
  refused_data("number.arff",
               "@relation r\n@attribute a numeric\n@attribute class {p,q}\n@data\n1,p\nbig,q\n",
               {"line 6", "column 1 (\"a\")", "\"big\""});
}

TEST_F(BadData, ValuesThatCannotBeUsed) {
  refused_data("stray.csv", "age,y\n1,a\n2,b\nold,a\n4,b\n",
               {"line 4, column 1 (\"age\")", "\"old\"", "--categorical age", "NA"}, {"--target", "y"});
  refused_data("infinite.csv", "age,y\n1,a\ninf,b\n3,a\n", {"line 3, column 1 (\"age\")", "infinite"},
               {"--target", "y"});
  refused_data("huge.csv", "age,y\n1,a\n1e39,b\n3,a\n", {"line 3, column 1 (\"age\")", "too large"},
               {"--target", "y"});
  refused_data("missing.csv", "age,y\n1,a\n2,\n3,b\n", {"line 3, column 2 (\"y\")", "missing"},
               {"--target", "y"});
  refused_data("nan.csv", "age,y\n1,1.5\n2,NaN\n3,2.5\n4,7.5\n5,8\n6,1\n",
               {"line 3, column 2 (\"y\")", "missing"}, {"--target", "y", "--task", "regression"});
  refused_data("text-target.csv", "age,y\n1,1.5\n2,blue\n3,2.5\n", {"line 3, column 2 (\"y\")", "\"blue\""},
               {"--target", "y", "--task", "regression"});
}

TEST_F(BadData, TargetsThatCannotBeLearned) {
  refused_data("d.csv", "height,weight,colour\n1,2,a\n2,3,b\n",
               {"--target", "height, weight, colour", "\"weight\""}, {"--target", "wieght"});
  refused_data("d.csv", "height,weight,colour\n1,2,a\n2,3,b\n", {"--target", "height, weight, colour"});
  refused_data("single.csv", "x,y\n1,a\n2,a\n3,a\n", {"\"y\"", "single class", "\"a\""}, {"--target", "y"});
  refused_data("constant.csv", "x,y\n1,7\n2,7\n3,7\n", {"\"y\"", "a single value", "\"7\""},
               {"--target", "y", "--task", "regression"});
  refused_data("constant.csv", "x,y\n1,5\n2,5\n3,5\n", {"\"y\""}, {"--target", "y", "--task", "regression"});
  refused_data("one.csv", "x,y\n1,a\n", {"1 row", "at least two"}, {"--target", "y"});
  refused_data("empty-target.csv", "x,y\n1,\n2,NA\n", {"\"y\"", "no values"}, {"--target", "y"});
  refused_data("flat.csv", "x,z,y\n1,7,a\n1,7,b\n1,7,a\n", {"no input column varies"}, {"--target", "y"});
  refused_data("alone.csv", "y\na\nb\n", {"no input columns"}, {"--target", "y"});
}

TEST_F(BadData, ColumnsThatContradictEachOther) {
  const std::string table = "a,b,y\n1,2,x\n2,3,y\n3,4,x\n";
  refused_data("d.csv", table, {"--ignore", "target", "\"y\""}, {"--target", "y", "--ignore", "y"});
  refused_data("d.csv", table, {"--id", "target", "\"y\""}, {"--target", "y", "--id", "y"});
  refused_data("d.csv", table, {"--ignore", "\"aa\"", "did you mean \"a\""},
               {"--target", "y", "--ignore", "aa"});
  refused_data("d.csv", table, {"--id", "\"c\""}, {"--target", "y", "--id", "b,c"});
  refused_data("d.csv", table, {"--categorical", "\"c\""}, {"--target", "y", "--categorical", "c"});
  refused_data("d.csv", table, {"no input columns"}, {"--target", "y", "--ignore", "a,b"});
}

TEST_F(BadData, BrokenImages) {
  const std::string images =
      std::string("\0\0\x08\x03\0\0\0\x04\0\0\0\x02\0\0\0\x02", 16) + std::string(16, '\x50');
  const std::string labels = std::string("\0\0\x08\x01\0\0\0\x04", 8) + std::string("\0\1\0\1", 4);
  write("x-labels-idx1-ubyte", labels);
  refused_data("x-images-idx3-ubyte", images.substr(0, 30), {});
  refused_data("x-images-idx3-ubyte", images.substr(0, 9), {});
  refused_data("x-images-idx3-ubyte",
               std::string("\0\0\x08\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 16), {});
  write("x-images-idx3-ubyte", images);
  write("x-labels-idx1-ubyte", labels.substr(0, 10));
  refused({"train", "x-images-idx3-ubyte", "-o", "run"}, {"x-labels-idx1-ubyte"});
  std::filesystem::remove(path("x-labels-idx1-ubyte"));
  refused({"train", "x-images-idx3-ubyte", "-o", "run"}, {"x-images-idx3-ubyte"});
}

TEST_F(BadData, WarningsAreNoErrors) {
  write("d.csv", "same,hole,x,y\n7,,1,a\n7,,2,b\n7,,3,a\n7,,4,b\n7,,5,a\n7,,6,b\n");
  write("t.csv", "same,hole,x,y\n7,,1,a\n7,,2,c\n");
  const Outcome trained =
      ok({"train", "d.csv", "--target", "y", "--test", "t.csv", "--max-steps", "2", "-o", "run", "--quiet"});
  const auto lines = lines_of(trained.errors);
  for (const std::string& line : lines) EXPECT_THAT(line, StartsWith("warning: "));
  EXPECT_THAT(trained.errors,
              AllOf(HasSubstr("same"), HasSubstr("hole"), HasSubstr("1 of 2 rows"), HasSubstr("\"c\"")));
  EXPECT_GE(read_json("run/summary.json")["nets"][0]["test_error"], 0.5)
      << "a class never seen counts as an error";
  const Outcome measured = ok({"evaluate", "run/model.coppice", "t.csv"});
  EXPECT_THAT(measured.errors, HasSubstr("warning: "));
  EXPECT_THAT(measured.out, HasSubstr("never seen in training"));
}

TEST_F(BadData, VeryLongLinesAreReadOrRefusedButNeverCrash) {
  std::string wide = "y";
  for (int i = 0; i < 3000; ++i) wide += fmt::format(",column{}", i);
  for (int row = 0; row < 6; ++row) {
    wide += row % 2 == 0 ? "\na" : "\nb";
    for (int i = 0; i < 3000; ++i) wide += fmt::format(",{}", (row * i) % 17);
  }
  write("wide.csv", wide);
  ok({"train", "wide.csv", "--target", "y", "--max-steps", "1", "-o", "wide", "--quiet"});
  write("long.csv", "x,y\n" + std::string(1U << 20U, 'x') + ",1\n2,0\n");
  EXPECT_THAT(call({"train", "long.csv", "--target", "y", "--max-steps", "1", "-o", "long"}).code,
              ::testing::AnyOf(0, 2));
}

TEST_F(BadData, AMissingTargetIsNamedEvenIfOneClassIsLeft) {
  write("d.csv", "x,region\n1,EU\n2,NA\n3,EU\n");
  refused({"train", "d.csv", "--target", "region", "-o", "run"},
          {"d.csv", "line 3", "column 2", "missing", "NA"});
}

}  // namespace
}  // namespace coppice::test
