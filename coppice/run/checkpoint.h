#pragma once

#include "coppice/training/net_run.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace coppice {

/// All state of one net in training as bytes, checksummed. `settings` stands for the settings it was trained with.
std::string checkpoint_bytes(const NetRun& run, std::uint32_t settings = 0);

/// Puts the state that checkpoint_bytes wrote back into `run`, which is the same net freshly started with the
/// same options. Fails on anything truncated or altered, and on other settings.
void restore_checkpoint(NetRun& run, std::string_view bytes, const std::string& name,
                        std::uint32_t settings = 0);

}  // namespace coppice
