#include "coppice/run/follow.h"

#include "tests/support.h"

#include <gmock/gmock.h>
#include <vector>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Follow : public Folder {
 protected:
  bool look() {
    lines_.clear();
    return file_->read([this] { ++restarts_; }, [this](std::string_view line) { lines_.emplace_back(line); });
  }
  void append(std::string_view bytes) const {
    std::ofstream(path("f"), std::ios::binary | std::ios::app) << bytes;
  }
  void SetUp() override {
    Folder::SetUp();
    file_.emplace(path("f"));
  }

  std::optional<FollowedFile> file_;
  std::vector<std::string> lines_;
  int restarts_ = 0;
};

TEST_F(Follow, GivesEachLineOnceItIsWhole) {
  EXPECT_FALSE(look()) << "there is no file yet";
  append("a\nb\nhal");
  EXPECT_TRUE(look());
  EXPECT_THAT(lines_, ElementsAre("a", "b"));
  EXPECT_FALSE(look());
  EXPECT_THAT(lines_, IsEmpty());
  append("f\n\nc");
  EXPECT_TRUE(look());
  EXPECT_THAT(lines_, ElementsAre("half", ""));
  EXPECT_EQ(restarts_, 0);
}

TEST_F(Follow, StartsAnewWhenTheFileWasCutOrReplaced) {
  append("a\nb\nc\nhal");
  look();
  std::filesystem::resize_file(path("f"), 2);
  EXPECT_TRUE(look());
  EXPECT_EQ(restarts_, 1);
  EXPECT_THAT(lines_, ElementsAre("a"));
  write("g", "x\ny\nz\nlonger than before\n");
  std::filesystem::rename(path("g"), path("f"));
  EXPECT_TRUE(look());
  EXPECT_EQ(restarts_, 2);
  EXPECT_THAT(lines_, ElementsAre("x", "y", "z", "longer than before"));
}

TEST_F(Follow, LinesLongerThanOneReadAreWhole) {
  const std::string line(200'000, 'x');
  append(line + "\n" + line);
  look();
  EXPECT_THAT(lines_, ElementsAre(line));
}

}  // namespace
}  // namespace coppice
