#pragma once

#include "coppice/api/train.h"

namespace coppice::test {

/// What must hold of every result.
void expect_consistent(const Result& result);

}  // namespace coppice::test
