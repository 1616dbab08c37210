#include "coppice/api/repeat.h"

#include "coppice/api/train.h"

#include "tests/api/tables.h"
#include "tests/support.h"

#include <gmock/gmock.h>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::ElementsAre;

Options repeated_options(std::size_t repeat) {
  Options options = ring_options();
  options.max_epochs = 3;
  options.test = 0.25;
  options.seed = 5;
  options.repeat = repeat;
  return options;
}

TEST(Repeat, EachTrainingHasSeedsAndRowsOfItsOwn) {
  const Table table = ring_table(200);
  struct Notes final : Observer {
    void on_note(const std::string& note) override { all.push_back(note); }
    std::vector<std::string> all;
  } notes;
  Options options = repeated_options(3);
  options.seeds = 2;
  const Result result = train(table, options, &notes);
  ASSERT_EQ(result.repetitions.size(), 3U);
  EXPECT_THAT(notes.all, ElementsAre("repetition 2 of 3, with seed 7", "repetition 3 of 3, with seed 9"));
  for (std::size_t k = 0; k < 3; ++k) {
    Options alone = options;
    alone.repeat.reset();
    alone.seed = 5 + 2 * k;
    const Result other = train(table, alone);
    const Repetition& one = result.repetitions[k];
    EXPECT_EQ(one.seed, *alone.seed);
    EXPECT_EQ(one.validation_error, other.nets[*other.chosen].validation_error);
    EXPECT_EQ(one.test_error, other.nets[*other.chosen].test_error);
    EXPECT_EQ(one.parameters, other.nets[*other.chosen].parameters);
    if (k == 0) {
      EXPECT_EQ(result.model().bytes(), other.model().bytes()) << "the first is the model";
    }
  }
}

TEST(Repeat, OnceIsNoRepetition) {
  const Table table = ring_table(60);
  EXPECT_TRUE(train(table, repeated_options(1)).repetitions.empty());
  Options options = repeated_options(1);
  options.repeat.reset();
  EXPECT_TRUE(train(table, options).repetitions.empty());
}

TEST(Repeat, AStopEndsIt) {
  const Table table = ring_table(60);
  Options options = repeated_options(1);
  const Result first = train(table, options);
  options.repeat = 2;
  try {
    repetitions(table, options, first, nullptr, [] { return true; });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
}

}  // namespace
}  // namespace coppice
