#pragma once

#include "coppice/exports/c_writer.h"
#include "coppice/exports/lowered.h"

namespace coppice {

/// $_self_test(), if @_SELF_TEST is defined: rows and what the model says about them.
void write_self_test(CWriter& out, const Model& model, const LoweredModel& lowered);

}  // namespace coppice
