#include "coppice/run/model_file.h"

#include "coppice/core/directory_lock.h"

#include "tests/support.h"

#include <filesystem>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using test::message_of;
using ::testing::HasSubstr;

class ModelFile : public test::Folder {
 protected:
  std::string refusal() const {
    return message_of([&] { model_file(folder_.string()); });
  }
};

TEST_F(ModelFile, IsTheFileItself) {
  EXPECT_EQ(model_file(path("net-3.coppice")), path("net-3.coppice"));
  EXPECT_EQ(model_file(""), "");
}

TEST_F(ModelFile, OfADirectoryIsItsModel) {
  write("model.coppice", "x");
  EXPECT_EQ(model_file(folder_.string()), path("model.coppice"));
}

TEST_F(ModelFile, WhyThereIsNoneIsSaid) {
  EXPECT_THAT(refusal(), HasSubstr("neither a run nor a model"));
  write("config.json", "{}");
  EXPECT_THAT(refusal(), HasSubstr("the run is not finished; continue it with coppice train --resume"));
  {
    const DirectoryLock training(folder_.string());
    EXPECT_THAT(refusal(), HasSubstr("the run is still going on; wait until it ends"));
  }
  write("summary.json", R"({"chosen": 1})");
  EXPECT_THAT(refusal(), HasSubstr("not there any more; make it again with coppice train --resume"));
  write("summary.json", R"({"chosen": null})");
  EXPECT_THAT(refusal(), HasSubstr("no net fits the budget; name one of the net-*.coppice"));
}

TEST_F(ModelFile, OfASearchItIsSaidToo) {
  write("search.json", R"({"kind": "grid"})");
  EXPECT_THAT(refusal(),
              HasSubstr("the search is not finished; continue it with coppice search grid --resume"));
  write("summary.json", R"({"model": {"file": "model.coppice"}})");
  EXPECT_THAT(refusal(), HasSubstr("make it again with coppice search grid --resume"));
  write("summary.json", R"({"model": null})");
  EXPECT_THAT(refusal(), HasSubstr("every net of the search diverged"));
}

}  // namespace
}  // namespace coppice
