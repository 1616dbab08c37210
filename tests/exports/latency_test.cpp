#include "coppice/exports/latency.h"

#include "tests/exports/exported_models.h"

#include <chrono>

#include <gtest/gtest.h>

namespace coppice {
namespace {

TEST(Latency, IsWhatOneRowTakes) {
  for (const test::ExportedCase& one : test::exported_cases()) {
    SCOPED_TRACE(one.name);
    const auto begin = std::chrono::steady_clock::now();
    const double median = row_latency(one.model);
    const std::chrono::duration<double, std::micro> all = std::chrono::steady_clock::now() - begin;
    EXPECT_GT(median, 0.1);
    EXPECT_LT(median, all.count() / 2) << "several rows were asked";
  }
}

TEST(Latency, GrowsWithTheNet) {
  const Table table = test::table_of_all_kinds(50);
  const Model small(test::model_of_all_kinds(table, "kind", {3}));
  const Model large(test::model_of_all_kinds(table, "kind", {2000, 2000}));
  EXPECT_GT(row_latency(large), 3 * row_latency(small));
}

}  // namespace
}  // namespace coppice
