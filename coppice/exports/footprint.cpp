#include "coppice/exports/footprint.h"

#include "coppice/exports/c_header.h"
#include "coppice/exports/cells.h"

namespace coppice {

std::optional<Footprint> footprint(const Model& model) {
  const LoweredModel lowered = lower(model);
  if (!fits_c(lowered)) return std::nullopt;
  constexpr std::size_t rows = 10;  // sizes do not depend on what is in them
  const CHeader plain = c_header(model, "model");
  const CHeader int8 = c_int8_header(model, "model", trial_rows(lowered, rows));
  return Footprint{.flash = plain.constant_bytes,
                   .ram = plain.stack_bytes,
                   .int8_flash = int8.constant_bytes,
                   .int8_ram = int8.stack_bytes,
                   .multiplications = plain.multiplications};
}

}  // namespace coppice
