#include "coppice/run/checkpoint.h"

#include "coppice/core/file.h"

#include "tests/fuzz/check.h"
#include "tests/fuzz/nets.h"
#include "tests/fuzz/targets.h"

#include <cstring>
#include <string>

namespace coppice::fuzz {

namespace {

constexpr std::size_t checksum_at = 21;
const std::string name = "fuzz.state";

std::string with_checksum(std::string bytes) {
  if (bytes.size() < checksum_at + 4) return bytes;
  const std::uint32_t sum = checksum(std::string_view(bytes).substr(checksum_at + 4));
  std::memcpy(bytes.data() + checksum_at, &sum, sizeof sum);
  return bytes;
}

}  // namespace

void checkpoint(std::string_view bytes) {
  if (bytes.empty()) return;
  static const StartedNets nets;
  const NetRun& start = nets.run(static_cast<unsigned char>(bytes[0]));
  bytes.remove_prefix(1);
  if (seldom == 1 || checksum(bytes) % seldom == 0) {
    NetRun run = start;
    goes_through(name, [&] { restore_checkpoint(run, bytes, name); });
  }
  const std::string sound = with_checksum(std::string(bytes));
  NetRun run = start;
  if (goes_through(name, [&] { restore_checkpoint(run, sound, name); }))
    require(checkpoint_bytes(run) == sound, "a checkpoint that was restored is written as the same bytes");
}

}  // namespace coppice::fuzz
