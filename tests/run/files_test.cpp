#include "coppice/run/files.h"

#include "coppice/api/prepare.h"
#include "coppice/core/file.h"
#include "coppice/run/read.h"

#include "tests/support.h"

#include <gmock/gmock.h>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// What is read from the files that options name, and what becomes of it.
class Files : public Folder {
 protected:
  static FilesRead read(const RunOptions& options) { return read_files(options, {}); }
  static PreparedData prepared(const RunOptions& options) {
    const FilesRead files = read(options);
    return prepare(files.data, files.options).data;
  }
  RunOptions options_for(const std::string& csv) const {
    RunOptions options;
    options.data = write("d.csv", csv);
    options.options.target = std::string("y");  // gcc 12 takes a plain literal for an overlap
    return options;
  }
  static std::string rows(std::size_t count) {
    std::string text = "a,b,y\n";
    for (std::size_t i = 0; i < count; ++i)
      text += fmt::format("{},{},{}\n", i % 17, i * i % 23, i % 4 == 0 ? "rare" : "usual");
    return text;
  }
};

TEST_F(Files, OfTheirOwnAreEncodedLikeTheData) {
  RunOptions options = options_for(rows(100));
  options.validation = write("v.csv", "y,b,a\nusual,3,4\nrare,1,1\n");
  options.test = write("t.csv", "a,b,y\n4,3,usual\n1,1,odd\n");
  const FilesRead files = read(options);
  EXPECT_EQ(files.data.rows(), 100U);
  EXPECT_EQ(std::get<Table>(files.options.validation).rows(), 2U);
  for (const auto& [role, file] :
       {std::pair("data", "d.csv"), std::pair("validation", "v.csv"), std::pair("test", "t.csv")}) {
    EXPECT_EQ(files.checksums[role], fmt::format("{:08x}", checksum(read_file(path(file))))) << role;
  }
  EXPECT_EQ(files.checksums.size(), 3U);
  const PreparedData data = prepared(options);
  ASSERT_TRUE(data.validation && data.test);
  EXPECT_EQ(data.rows.size(), 100U) << "all rows train";
  for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(data.validation->inputs(0, k), data.test->inputs(0, k));
  EXPECT_EQ(data.test->labels[1], 2U) << "a class never seen";
  EXPECT_THAT(data.warnings, ::testing::Contains(HasSubstr("\"odd\"")));
  options.validation = write("v.csv", "a,b\n1,2\n");
  EXPECT_THAT(message_of([&] { prepared(options); }), HasSubstr("\"y\""));
}

TEST_F(Files, OfImagesAreScaledTogether) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += fmt::format("{} {} {}\n", i % 5, 100 + i % 3, i % 2);
  RunOptions options;
  options.data = write("d.amat", text);
  const PreparedData data = prepared(options);
  EXPECT_EQ(data.encoding.scaling, Scaling::global);
  EXPECT_TRUE(data.images());
}

TEST_F(Files, IdsComeBackAsTheyStand) {
  RunOptions options = options_for("id,a,y\nx1,1,p\n007,2,q\nx3,3,p\n");
  options.options.ids = {"id"};
  const PreparedData data = prepared(options);
  const ReadHints hints = hints_for(data.encoding, false);
  const Table other = read_table(
      write("p.csv", "a,id\n5,0042\n6,\n"),
      {.texts = hints.texts, .numbers = hints.numbers, .skip = hints.skip, .skip_others = hints.skip_others});
  const IdColumns ids = id_columns(other, data.encoding);
  EXPECT_THAT(ids.names, ElementsAre("id"));
  EXPECT_THAT(ids.texts[0], ElementsAre("0042", ""));
  EXPECT_EQ(other.rows(), 2U);
}

/// Categories that look like numbers in one file must be texts in the others.
TEST_F(Files, AColumnOfTextsIsOneInEveryFile) {
  RunOptions options = options_for("c,y\n01,p\nx,q\n1,p\ny,q\nz,p\nw,q\n");
  options.validation = write("v.csv", "c,y\n01,p\n1,q\n");
  const PreparedData data = prepared(options);
  ASSERT_TRUE(data.validation);
  for (std::size_t k = 0; k < data.encoding.inputs(); ++k) {
    EXPECT_EQ(data.validation->inputs(0, k), data.train.inputs(0, k)) << "01";
    EXPECT_EQ(data.validation->inputs(1, k), data.train.inputs(2, k)) << "1";
  }
}

TEST_F(Files, MistakesNameTheFileTheColumnAndTheRow) {
  RunOptions options = options_for("a,y\n1,p\n2,\n3,q\n");
  try {
    prepared(options);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_input);
    EXPECT_EQ(error.place().column, "y");
    EXPECT_EQ(error.place().row, 1U);
    EXPECT_THAT(error.what(), HasSubstr("d.csv"));
  }
  options.data = path("none.csv");
  try {
    read(options);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::file);
    EXPECT_THAT(error.what(), HasSubstr("none.csv"));
  }
}

TEST_F(Files, AStopEndsTheReading) {
  try {
    read_files(options_for(rows(100)), [] { return true; });
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
}

}  // namespace
}  // namespace coppice
