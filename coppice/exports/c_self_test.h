#pragma once

#include "coppice/exports/c_writer.h"
#include "coppice/exports/lowered.h"
#include "coppice/exports/quantized.h"

#include <cstdint>
#include <vector>

namespace coppice {

/// Rows and what is right for them.
struct SelfTest {
  std::vector<std::vector<float>> cells;
  std::vector<std::vector<float>> outputs;
  std::vector<std::uint32_t> answers;
};

/// What the model says.
SelfTest self_test_of(const Model& model, const LoweredModel& lowered);
/// What the model in 8 bits says, about rows whose levels do not lie near where they are rounded up or down.
SelfTest self_test_of(const Model& model, const LoweredModel& lowered, const QuantizedModel& quantized);

/// $_self_test(), if @_SELF_TEST is defined.
void write_self_test(CWriter& out, const SelfTest& test);

}  // namespace coppice
