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

std::string epoch_line(std::size_t epoch, std::size_t units, Phase phase = Phase::grow) {
  return line_of(journal::Epoch{.epoch = epoch, .phase = phase, .hidden_units = {units}});
}

std::string unit_line(bool born, std::size_t epoch, std::uint32_t unit) {
  return line_of(journal::UnitChange{.born = born, .epoch = epoch, .unit = unit});
}

std::string rewind_line(std::size_t epoch, std::size_t to) {
  return line_of(journal::Rewind{.epoch = epoch, .to_epoch = to, .phase = Phase::polish});
}

TEST_F(History, UnitsOfTheStartAreKnownFromTheFirstWidths) {
  const NetHistory net =
      read(unit_line(true, 1, 2) + epoch_line(1, 3) + unit_line(false, 2, 0) + epoch_line(2, 2));
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
  const NetHistory net = read(epoch_line(1, 2) + unit_line(false, 2, 70) + epoch_line(2, 1));
  ASSERT_EQ(net.lives.layer(0).size(), 2U) << "70 is one of the two, not a third";
  EXPECT_EQ(net.lives.find(0, 70)->fate, Fate::died);
}

TEST_F(History, ARewindUndoesBirthsAndDeaths) {
  const NetHistory net =
      read(epoch_line(1, 2) + unit_line(true, 2, 5) + unit_line(false, 3, 0) + epoch_line(3, 2) +
           rewind_line(4, 1) + unit_line(false, 4, 5) + epoch_line(5, 2));
  EXPECT_EQ(net.lives.find(0, 5)->fate, Fate::unlearned);
  EXPECT_EQ(net.lives.find(0, 5)->end, 4U);
  EXPECT_EQ(net.lives.find(0, 0)->fate, Fate::survived) << "its death was taken back";
  EXPECT_EQ(net.lives.find(0, 0)->end, 5U);
}

TEST_F(History, EpochsTakenBackAreJoined) {
  const NetHistory net = read(epoch_line(1, 2) + rewind_line(10, 4) + rewind_line(15, 4) +
                              rewind_line(30, 25) + epoch_line(31, 2));
  const auto back = net.taken_back();
  ASSERT_EQ(back.size(), 2U);
  EXPECT_EQ(back[0].from, 5U);
  EXPECT_EQ(back[0].to, 15U);
  EXPECT_EQ(back[1].from, 26U);
  EXPECT_EQ(back[1].to, 30U);
}

TEST_F(History, PhasesAreStretchesOfEpochs) {
  const NetHistory net = read(epoch_line(1, 2) + epoch_line(2, 2) + epoch_line(3, 2, Phase::settle));
  const auto phases = net.phases();
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ(phases[0].to, 2U);
  EXPECT_EQ(phases[1].phase, Phase::settle);
}

TEST_F(History, DamagedLinesAndOtherNetsArePassedOver) {
  const NetHistory net =
      read(epoch_line(1, 2) + "{\"event\":\"born\",\"net\":0,\"epoch\":2}\n[1]\n" +
           line_of(journal::Epoch{.net = 7, .epoch = 2, .hidden_units = {2}}) + "{\"event\":\"epo");
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
