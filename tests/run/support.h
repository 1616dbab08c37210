#pragma once

#include "coppice/run/settings.h"
#include "coppice/training/net_run.h"

#include "tests/support.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace coppice::test {

/// A setting by its name; fails the test if there is none.
inline Setting setting(RunOptions& options, const std::string& name) {
  for (Setting& candidate : settings_of(options)) {
    if (candidate.name == name) return candidate;
  }
  throw std::out_of_range(fmt::format("there is no setting {}", name));
}

}  // namespace coppice::test
