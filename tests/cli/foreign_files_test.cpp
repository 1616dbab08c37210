// Files of the user beside those of a run, and links where it writes: nothing that is not its own is changed or removed.
#include "tests/cli/program.h"

#include <gmock/gmock.h>

namespace coppice::test {
namespace {

namespace fs = std::filesystem;

class ForeignFiles : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    write("d.csv", ring_csv(60));
  }
  Outcome train(const std::string& out) const {
    return call({"train", "d.csv", "--max-steps", "2", "--lambda", "1e-3", "-o", out, "--quiet"});
  }
};

TEST_F(ForeignFiles, OfNamesThatARunWritesAreNotOverwritten) {
  for (const std::string name : {"report.html", "analysis.json", "net-0.coppice", "net-17.coppice"}) {
    write("mine/" + name, "precious");
    refused({"train", "d.csv", "--max-steps", "2", "-o", "mine"},
            {"mine: holds " + name, "choose another -o"});
    refused({"search", "grid", "d.csv", "--hidden", "4", "-o", "mine"}, {"mine: holds " + name});
    fs::remove(path("mine/" + name));
  }
  write("mine/net-x.coppice", "precious");
  write("mine/notes.html", "precious");
  EXPECT_EQ(train("mine").code, 0) << "others are nobody's business";
  EXPECT_EQ(read("mine/net-x.coppice") + read("mine/notes.html"), "preciousprecious");
}

TEST_F(ForeignFiles, LinksOutOfANewDirectoryAreNotFollowed) {
  for (const std::string name : {"report.html", "analysis.json", "checkpoints", "config.json"}) {
    fs::create_directories(path("mine"));
    fs::create_symlink("../elsewhere", path("mine/" + name));
    refused({"train", "d.csv", "--max-steps", "2", "-o", "mine"}, {"mine: holds " + name});
    fs::remove(path("mine/" + name));
  }
}

TEST_F(ForeignFiles, NorAreThoseOutOfARunThatGoesOn) {
  EXPECT_EQ(train("run").code, 0);
  const std::string model = read("run/model.coppice");
  write("outside", "precious");
  for (const std::string name : {"report.html", "analysis.json", "net-0.coppice", "model.coppice",
                                 "summary.json", "checkpoints/net-0.state"}) {
    fs::remove(path("run/" + name));
    fs::create_symlink(path("outside"), path("run/" + name));
    if (name.ends_with(".state")) fs::remove(path("run/" + name));
    ok({"train", "--resume", "run", "--quiet"});
    EXPECT_EQ(read("outside"), "precious") << name;
    EXPECT_FALSE(fs::is_symlink(path("run/" + name))) << name;
  }
  EXPECT_EQ(read("run/model.coppice"), model);
  fs::remove_all(path("run/checkpoints"));
  fs::create_directory(path("elsewhere"));
  fs::create_symlink(path("elsewhere"), path("run/checkpoints"));
  refused({"train", "--resume", "run", "--quiet"}, {"checkpoints: is a symbolic link"});
}

TEST_F(ForeignFiles, LeftoversOfAKilledBeginningGoWithTheNextOne) {
  write("run/config.json.0123456789abcdef.tmp", "half");
  write("run/mine.0123456789abcdef.tmp", "precious");
  EXPECT_EQ(train("run").code, 0);
  EXPECT_FALSE(exists("run/config.json.0123456789abcdef.tmp"));
  EXPECT_EQ(read("run/mine.0123456789abcdef.tmp"), "precious");
}

TEST_F(ForeignFiles, OnlyLeftoversOfOursAreRemoved) {
  ASSERT_EQ(train(".").code, 0);
  for (const std::string name : {"mine.tmp", "d.csv.tmp", "d.csv.0123456789abcdef.tmp", "report.html.tmp",
                                 "checkpoints/mine.tmp", "checkpoints/report.html.0123456789abcdef.tmp"})
    write(name, "precious");
  fs::create_directory(path("empty.tmp"));
  fs::create_directory(path("report.html.0123456789abcdef.tmp"));
  const auto before = files();
  const std::vector<std::string> ours{"model.coppice.0123456789abcdef.tmp",
                                      "net-3.coppice.0000000000000000.tmp",
                                      "checkpoints/net-0.state.fedcba9876543210.tmp"};
  for (const std::string& name : ours) write(name, "half");
  ok({"train", "--resume", ".", "--quiet"});
  const auto after = files();
  for (const auto& [name, bytes] : before) EXPECT_TRUE(after.contains(name)) << name;
  for (const std::string& name : ours) EXPECT_FALSE(exists(name)) << name;
}

}  // namespace
}  // namespace coppice::test
