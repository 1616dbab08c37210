#include "coppice/report/history.h"

#include "tests/report/run_directory.h"

#include <gmock/gmock.h>

namespace coppice::test {
namespace {

class History : public Folder {
 protected:
  NetHistory read(const std::string& lines) const {
    return read_journal(write("journal.jsonl", lines), {0}).at(0);
  }
};

std::string epoch_line(std::size_t epoch, const std::string& units, const std::string& phase = "grow") {
  return fmt::format(
      "{{\"event\":\"epoch\",\"net\":0,\"epoch\":{},\"phase\":\"{}\",\"train_loss\":0.5,"
      "\"validation_error\":0.25,\"hidden_units\":[{}]}}\n",
      epoch, phase, units);
}

std::string unit_line(const char* event, std::size_t epoch, std::size_t unit) {
  return fmt::format("{{\"event\":\"{}\",\"net\":0,\"epoch\":{},\"layer\":1,\"unit\":{}}}\n", event, epoch,
                     unit);
}

std::string rewind_line(std::size_t epoch, std::size_t to) {
  return fmt::format("{{\"event\":\"rewind\",\"net\":0,\"epoch\":{},\"to_epoch\":{},\"phase\":\"x\"}}\n",
                     epoch, to);
}

TEST_F(History, UnitsOfTheStartAreKnownFromTheFirstWidths) {
  const NetHistory net =
      read(unit_line("born", 1, 2) + epoch_line(1, "3") + unit_line("died", 2, 0) + epoch_line(2, "2"));
  const auto& lives = net.lives.layer(0);
  ASSERT_EQ(lives.size(), 3U);
  EXPECT_EQ(net.lives.find(0, 0)->fate, Fate::died);
  EXPECT_EQ(net.lives.find(0, 0)->born, 0U);
  EXPECT_EQ(net.lives.find(0, 0)->end, 2U);
  EXPECT_EQ(net.lives.find(0, 1)->fate, Fate::survived);
  EXPECT_EQ(net.lives.find(0, 1)->end, 2U);
  EXPECT_EQ(net.lives.find(0, 2)->born, 1U);
}

TEST_F(History, UnknownIdsAreTakenForUnitsOfTheStart) {
  const NetHistory net = read(epoch_line(1, "2") + unit_line("died", 2, 70) + epoch_line(2, "1"));
  ASSERT_EQ(net.lives.layer(0).size(), 2U) << "70 is one of the two, not a third";
  EXPECT_EQ(net.lives.find(0, 70)->fate, Fate::died);
}

TEST_F(History, ARewindUndoesBirthsAndDeaths) {
  const NetHistory net =
      read(epoch_line(1, "2") + unit_line("born", 2, 5) + unit_line("died", 3, 0) + epoch_line(3, "2") +
           rewind_line(4, 1) + unit_line("died", 4, 5) + epoch_line(5, "2"));
  EXPECT_EQ(net.lives.find(0, 5)->fate, Fate::unlearned);
  EXPECT_EQ(net.lives.find(0, 5)->end, 4U);
  EXPECT_EQ(net.lives.find(0, 0)->fate, Fate::survived) << "its death was taken back";
  EXPECT_EQ(net.lives.find(0, 0)->end, 5U);
}

TEST_F(History, EpochsTakenBackAreJoined) {
  const NetHistory net = read(epoch_line(1, "2") + rewind_line(10, 4) + rewind_line(15, 4) +
                              rewind_line(30, 25) + epoch_line(31, "2"));
  const auto back = net.taken_back();
  ASSERT_EQ(back.size(), 2U);
  EXPECT_EQ(back[0].from, 5U);
  EXPECT_EQ(back[0].to, 15U);
  EXPECT_EQ(back[1].from, 26U);
  EXPECT_EQ(back[1].to, 30U);
}

TEST_F(History, PhasesAreStretchesOfEpochs) {
  const NetHistory net = read(epoch_line(1, "2") + epoch_line(2, "2") + epoch_line(3, "2", "settle"));
  const auto phases = net.phases();
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ(phases[0].to, 2U);
  EXPECT_EQ(phases[1].name, "settle");
}

TEST_F(History, DamagedLinesArePassedOver) {
  const NetHistory net =
      read(epoch_line(1, "2") + "{\"event\":\"born\",\"net\":0,\"epoch\":2}\n[1]\n" +
           "{\"event\":\"died\",\"net\":0,\"epoch\":2,\"layer\":0,\"unit\":1}\n" +
           "{\"event\":\"born\",\"net\":0,\"epoch\":2,\"layer\":99999999999,\"unit\":1}\n" +
           "{\"event\":\"epoch\",\"net\":7,\"epoch\":2}\n{\"event\":\"epo");
  EXPECT_EQ(net.epochs.size(), 1U);
  EXPECT_EQ(net.lives.layer(0).size(), 2U);
}

TEST_F(History, AnotherFileIsRefusedAndAnEmptyOneIsNot) {
  EXPECT_THAT(message_of([&] { read("lambda,seed\n1,2\n"); }),
              ::testing::HasSubstr("journal.jsonl: holds no events"));
  EXPECT_TRUE(read("").epochs.empty());
}

}  // namespace
}  // namespace coppice::test
