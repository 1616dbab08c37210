#include "coppice/exports/footprint.h"

#include "coppice/core/error.h"
#include "coppice/exports/c_header.h"
#include "coppice/exports/lowered.h"
#include "coppice/exports/steep_inputs.h"

#include "tests/exports/exported_models.h"

#include <gtest/gtest.h>

namespace coppice {
namespace {

TEST(Footprint, IsThatOfTheHeaders) {
  for (const test::ExportedCase& one : test::exported_cases()) {
    SCOPED_TRACE(one.name);
    const auto taken = footprint(one.model);
    ASSERT_TRUE(taken);
    const CHeader plain = c_header(one.model, "x");
    EXPECT_EQ(taken->flash, plain.constant_bytes);
    EXPECT_EQ(taken->ram, plain.stack_bytes);
    EXPECT_EQ(taken->multiplications, plain.multiplications);
    const CHeader int8 = c_int8_header(one.model, "x", one.rows);
    EXPECT_GE(taken->int8_flash, int8.constant_bytes);
    EXPECT_LE(taken->int8_flash, int8.constant_bytes + 12 + 3 * most_steep(lower(one.model).inputs.size()))
        << "numbers that are the same by chance are written once, and few inputs are steep";
    EXPECT_EQ(taken->int8_ram, int8.stack_bytes);
  }
}

TEST(Footprint, NoneWhereThereAreTooManyInputs) {
  ModelParts parts = test::model_of_all_kinds(test::table_of_all_kinds(50), "kind", {});
  const std::size_t inputs = 70'000;
  InputColumn& column = parts.encoding.columns[2];
  ASSERT_EQ(column.kind, ColumnKind::text);
  const std::size_t more = inputs - parts.encoding.inputs();
  for (std::size_t k = 0; k < more; ++k) column.categories.push_back(fmt::format("town {}", k));
  parts.encoding.offset.resize(inputs);
  parts.encoding.factor.resize(inputs, 1.0F);
  parts.network.layers.front().weights = Matrix<float>(3, inputs);
  const Model model(std::move(parts));
  EXPECT_FALSE(footprint(model));
  EXPECT_THROW(c_header(model, "net"), Error);
}

}  // namespace
}  // namespace coppice
