#pragma once

#include "coppice/training/net_run.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

/// A net as one who trained it tells others: its epochs, and its checkpoint.
struct TrainedNetBytes {
  std::size_t net = 0;
  std::vector<EpochReport> epochs;  ///< what coppice_epoch shows of them
  std::string_view checkpoint;      ///< of the bytes that were read
};

/// `settings` stands for the settings and the data it was trained with.
std::string trained_net_bytes(const NetRun& run, const std::vector<EpochReport>& epochs,
                              std::uint32_t settings);

/// Fails on anything truncated or altered, and on other settings.
TrainedNetBytes read_trained_net(std::string_view bytes, std::uint32_t settings);

}  // namespace coppice
