#pragma once

#include "coppice/training/net_run.h"
#include "coppice/training/options.h"

#include <string>
#include <string_view>

namespace coppice {

/// All state of one net in training as bytes, checksummed.
std::string checkpoint_bytes(const NetRun& run);

/// Puts the state that checkpoint_bytes wrote back into `run`, which is the same net freshly started with the
/// same options. Fails on anything truncated or altered.
void restore_checkpoint(NetRun& run, std::string_view bytes, const std::string& name);

}  // namespace coppice
