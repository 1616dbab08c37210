#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

// What a process knows about where it runs.
namespace coppice {

std::string host_name();

/// Bytes that can be had: what is free on the machine, or what a control group or a limit on this process leaves.
std::uint64_t memory_left();

/// Bytes of memory that this process had at its largest.
std::uint64_t memory_at_most();

/// Processors that this process may use: a launcher may have bound it to some.
std::size_t usable_processors();
/// Processors of the machine.
std::size_t online_processors();

}  // namespace coppice
