#include "coppice/model/model.h"

#include "coppice/core/file.h"
#include "coppice/model/model_json.h"
#include "coppice/model/parts.h"

#include "tests/fuzz/check.h"
#include "tests/fuzz/targets.h"

#include <cstring>
#include <string>

namespace coppice::fuzz {

namespace {

constexpr std::size_t checksum_at = 12;
const std::string name = "fuzz.coppice";

/// The bytes with the checksum that belongs to them: else hardly any would be looked at further.
std::string with_checksum(std::string bytes) {
  if (bytes.size() < checksum_at + 4) return bytes;
  const std::uint32_t sum = checksum(std::string_view(bytes).substr(checksum_at + 4));
  std::memcpy(bytes.data() + checksum_at, &sum, sizeof sum);
  return bytes;
}

}  // namespace

void model(std::string_view bytes) {
  if (seldom == 1 || checksum(bytes) % seldom == 0) goes_through(name, [&] { parse_model(bytes, name); });
  const std::string sound = with_checksum(std::string(bytes));
  std::string written;
  std::string again;
  const bool read = goes_through(name, [&] {
    const Model model = Model::from_bytes(sound, name);
    written = model.bytes();
    again = model_bytes(parse_model(written, name));
    require(model.input_names().size() == model.inputs(), "every input has a name");
    require(model.nets() > 0 && model.parameters() > 0, "a model has weights");
  });
  if (read) require(written == again, "a model that was read is written and read as the same");
}

}  // namespace coppice::fuzz
