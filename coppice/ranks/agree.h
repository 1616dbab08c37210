#pragma once

#include "coppice/ranks/messenger.h"
#include "coppice/ranks/wire.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Which ranks can train one run together, and how. Pure: what each of them said decides, by its rank.
namespace coppice {

/// What this process is.
Hello hello_of(std::vector<std::string> arguments);

/// "rank 3 on node7"; "rank 3" before it has said where it is.
std::string rank_text(std::size_t rank, const std::vector<Hello>& ranks);

/// Fails if the message is a rank's word that it cannot go on.
void refuse_failed(const Message& message, const std::vector<Hello>& ranks);

/// Fails, naming the first, if a rank is of another version or has other arguments.
void refuse_unlike(const std::vector<Hello>& ranks);

/// Fails, naming the first, if a rank has kernels that round in another way: where a training does not compute portably.
void refuse_other_kernels(const std::vector<Hello>& ranks);

/// Fails, naming the first, if a machine has not `bytes` for each of its ranks but rank 0, which has them already.
void refuse_small(const std::vector<Hello>& ranks, std::uint64_t bytes);

/// Threads of each rank: as given, or its share of its machine's processors, but no more than it may use.
std::vector<std::size_t> threads_of(const std::vector<Hello>& ranks, std::optional<std::size_t> given);

/// The GPU of each rank: ranks of one machine take its GPUs in turn.
std::vector<std::size_t> gpus_of(const std::vector<Hello>& ranks);

/// How many different machines they are on.
std::size_t hosts_of(const std::vector<Hello>& ranks);

}  // namespace coppice
