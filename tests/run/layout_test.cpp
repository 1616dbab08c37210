#include "coppice/run/layout.h"

#include "tests/support.h"

#include <gmock/gmock.h>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;

TEST(Layout, NetsHaveFilesOfTheirOwn) {
  EXPECT_EQ(layout::checkpoint(12), "checkpoints/net-12.state");
  EXPECT_EQ(layout::net_model(3), "net-3.coppice");
  EXPECT_EQ(layout::in("runs/x", layout::journal), "runs/x/journal.jsonl");
  EXPECT_EQ(layout::in("runs/x/", layout::checkpoint(0)), "runs/x/checkpoints/net-0.state");
}

TEST(Layout, KnowsTheNamesOfItsOwnFiles) {
  for (const char* name :
       {"config.json", "journal.jsonl", "analysis.json", "report.html", "search.json", "results.jsonl",
        "summary.json", "model.coppice", "net-0.coppice", "net-123.coppice"})
    EXPECT_TRUE(layout::is_own(name)) << name;
  for (const char* name : {"", "checkpoints", "net-.coppice", "net-1x.coppice", "net-1", "my-net-1.coppice",
                           "other.coppice", "net-0.state"})
    EXPECT_FALSE(layout::is_own(name)) << name;
  EXPECT_TRUE(layout::is_own_checkpoint("net-7.state"));
  for (const char* name : {"net-.state", "net-7.coppice", "net-7.state.old", "report.html"})
    EXPECT_FALSE(layout::is_own_checkpoint(name)) << name;
}

class JsonFile : public Folder {};

TEST_F(JsonFile, AnObjectComesInItsOrder) {
  EXPECT_EQ(read_json(write("a.json", R"({"b": 1, "a": [2]})")).dump(), R"({"b":1,"a":[2]})");
}

TEST_F(JsonFile, AnythingElseIsRefusedWithAdvice) {
  for (const char* bytes : {"{", "{\"a\":}", "\xff\xfe", "7 8", R"({"a": 1, "a": 2})"}) {
    EXPECT_THAT(message_of([&] { read_json(write("a.json", bytes), "look again"); }),
                AllOf(HasSubstr("a.json: is not valid JSON"), EndsWith("; look again")));
  }
  for (const char* bytes : {"[1]", "7", "null"}) {
    EXPECT_THAT(message_of([&] { read_json(write("a.json", bytes)); }),
                AllOf(HasSubstr("a.json: holds no JSON object"), EndsWith("start a new run")));
  }
  EXPECT_THAT(message_of([&] { read_json(path("none.json")); }), HasSubstr("none.json"));
}

}  // namespace
}  // namespace coppice
