#include "coppice/ranks/agree.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/device/gpu.h"
#include "coppice/device/product.h"
#include "coppice/ranks/host.h"
#include "coppice/version.h"

#include <algorithm>
#include <map>
#include <utility>

namespace coppice {

namespace {

std::map<std::string, std::size_t> ranks_by_host(const std::vector<Hello>& ranks) {
  std::map<std::string, std::size_t> count;
  for (const Hello& rank : ranks) ++count[rank.host];
  return count;
}

/// The first argument that differs, or where one list ends.
std::string argument_at(const std::vector<std::string>& arguments, std::size_t i) {
  return i < arguments.size() ? cited(arguments[i]) : "nothing";
}

}  // namespace

Hello hello_of(std::vector<std::string> arguments) {
  const std::vector<std::string> gpus = gpu_names();
  const bool alike = std::ranges::all_of(gpus, [&](const std::string& name) { return name == gpus.front(); });
  return {.version = version(),
          .kernels = product_kernels(),
          .arguments = std::move(arguments),
          .host = host_name(),
          .memory = memory_left(),
          .processors = usable_processors(),
          .online = online_processors(),
          .gpu = !gpus.empty() && alike ? gpus.front() : "",
          .gpus = alike ? gpus.size() : 0};
}

std::string rank_text(std::size_t rank, const std::vector<Hello>& ranks) {
  const std::string& host = ranks[rank].host;
  return host.empty() ? fmt::format("rank {}", rank) : fmt::format("rank {} on {}", rank, host);
}

void refuse_failed(const Message& message, const std::vector<Hello>& ranks) {
  if (message.subject == Subject::failed) fail("{}: {}", rank_text(message.from, ranks), message.bytes);
}

void refuse_unlike(const std::vector<Hello>& ranks) {
  const Hello& first = ranks.front();
  for (std::size_t rank = 1; rank < ranks.size(); ++rank) {
    const Hello& other = ranks[rank];
    const std::string who = rank_text(rank, ranks);
    if (other.version != first.version) {
      fail("{}: is coppice {}, not {}; install the same version everywhere", who,
           other.version.empty() ? "of another version" : other.version, first.version);
    }
    for (std::size_t i = 0; i < std::max(first.arguments.size(), other.arguments.size()); ++i) {
      if (argument_at(first.arguments, i) == argument_at(other.arguments, i)) continue;
      fail("{}: was started with {} where rank 0 has {}; give all ranks the same arguments", who,
           argument_at(other.arguments, i), argument_at(first.arguments, i));
    }
  }
}

void refuse_other_kernels(const std::vector<Hello>& ranks) {
  const Hello& first = ranks.front();
  for (std::size_t rank = 1; rank < ranks.size(); ++rank) {
    if (ranks[rank].kernels == first.kernels) continue;
    fail(
        "{}: computes with {}, rank 0 with {}, which round in another way; use machines of one kind, or "
        "`portable-math` on",
        rank_text(rank, ranks), ranks[rank].kernels, first.kernels);
  }
}

void refuse_small(const std::vector<Hello>& ranks, std::uint64_t bytes) {
  const auto count = ranks_by_host(ranks);
  for (std::size_t rank = 1; rank < ranks.size(); ++rank) {
    const Hello& small = ranks[rank];
    const std::size_t beside = count.at(small.host) - (small.host == ranks.front().host ? 1 : 0);
    if (small.memory >= bytes * beside) continue;
    fail(
        "{}: has {} MB of memory left for {} rank{}, which take {} MB each, as rank 0 does; start fewer "
        "there",
        rank_text(rank, ranks), small.memory >> 20U, beside, beside == 1 ? "" : "s", (bytes >> 20U) + 1);
  }
}

std::vector<std::size_t> threads_of(const std::vector<Hello>& ranks, std::optional<std::size_t> given) {
  const auto count = ranks_by_host(ranks);
  std::vector<std::size_t> threads;
  for (const Hello& rank : ranks) {
    const std::size_t share = std::max<std::size_t>(1, rank.online / count.at(rank.host));
    threads.push_back(given.value_or(std::min<std::size_t>(rank.processors, share)));
  }
  return threads;
}

std::vector<std::size_t> gpus_of(const std::vector<Hello>& ranks) {
  std::map<std::string, std::size_t> before;
  std::vector<std::size_t> gpus;
  for (const Hello& rank : ranks) gpus.push_back(rank.gpus == 0 ? 0 : before[rank.host]++ % rank.gpus);
  return gpus;
}

std::size_t hosts_of(const std::vector<Hello>& ranks) {
  return ranks_by_host(ranks).size();
}

}  // namespace coppice
