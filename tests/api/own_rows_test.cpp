#include "coppice/api/train.h"

#include "tests/api/consistent.h"
#include "tests/api/results.h"
#include "tests/api/tables.h"

#include <gmock/gmock.h>
#include <numeric>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// The rows of a ring from `first` on.
Table part_of(const Ring& ring, std::size_t first, std::size_t last) {
  Ring part(0);
  for (std::size_t i = first; i < last; ++i) {
    part.x0.push_back(ring.x0[i]);
    part.x1.push_back(ring.x1[i]);
    part.label.push_back(ring.label[i]);
  }
  return part.table();
}

Rows numbers(std::uint32_t first, std::uint32_t last) {
  Rows rows(last - first);
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

TEST(Train, RowsByNumberOrAsTablesOfTheirOwnComeToTheSame) {
  const Ring ring(300);
  Options by_number = ring_options();
  by_number.validation = numbers(0, 60);
  by_number.test = numbers(250, 300);
  Options by_table = ring_options();
  by_table.validation = part_of(ring, 0, 60);
  by_table.test = part_of(ring, 250, 300);
  Witness witness;
  const Result one = train(ring.table(), by_number, &witness);
  const Result other = train(part_of(ring, 60, 250), by_table);
  expect_consistent(one);
  expect_consistent(other);
  EXPECT_EQ(witness.begun.train_rows, 190U);
  EXPECT_EQ(witness.begun.validation_rows, 60U);
  EXPECT_EQ(witness.begun.test_rows, 50U);
  EXPECT_EQ(bytes_of(one), bytes_of(other));
  EXPECT_TRUE(one.nets[0].test_error.has_value());
}

TEST(Train, WrongRowsAreRefused) {
  const Table table = ring_table(40);
  const auto refusal = [&](const HeldOut& validation, const HeldOut& test) {
    Options options = ring_options();
    options.validation = validation;
    options.test = test;
    try {
      train(table, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_option) << error.what();
      return error.place().option + ": " + error.what();
    }
    return std::string("taken");
  };
  EXPECT_THAT(refusal(Rows{40}, {}), AllOf(StartsWith("validation"), HasSubstr("row 40 does not exist")));
  EXPECT_THAT(refusal({}, Rows{3, 3}), AllOf(StartsWith("test"), HasSubstr("twice")));
  EXPECT_THAT(refusal(Rows{1, 2}, Rows{2, 3}), AllOf(StartsWith("validation"), HasSubstr("one purpose")));
  EXPECT_THAT(refusal(1.5, {}), AllOf(StartsWith("validation"), HasSubstr("between 0 and 1")));
  EXPECT_THAT(refusal({}, 0.0), AllOf(StartsWith("test"), HasSubstr("between 0 and 1")));
}

}  // namespace
}  // namespace coppice
