#include "coppice/exports/footprint.h"

#include "coppice/exports/c_header.h"
#include "coppice/exports/c_parts.h"
#include "coppice/exports/level_range.h"
#include "coppice/exports/steep_inputs.h"
#include "coppice/exports/unit_inputs.h"

namespace coppice {

namespace {

double raw_fill(const Feature& feature) {
  return feature.squash.used() ? feature.squash(feature.fill) : feature.fill;
}

/// Scales as calibration may make them at worst: no two columns share an offset, a factor or the level of missing cells; where
/// all are scaled alike, only the last.
void tell_apart(LoweredModel& model) {
  constexpr std::size_t levels = 900;
  LevelRange fills;
  for (const Feature& feature : model.features) fills.take(raw_fill(feature));
  for (std::size_t k = 0; k < model.features.size(); ++k) {
    InputScale& scale = model.inputs[model.features[k].first_input];
    if (by_column(model.scaling)) {
      scale.factor = static_cast<float>(1 + k);
      const double level = static_cast<double>(1 + k % levels);
      scale.offset = static_cast<float>(raw_fill(model.features[k]) - level / scale.factor);
    } else {
      scale.factor = static_cast<float>(1 / fills.step(top_level));
      scale.offset = static_cast<float>(fills.low);
    }
  }
}

std::size_t flash_of(const LoweredModel& model, CInput input) {
  CWriter out("model");
  write_beginning(out, model, input);
  return out.constant_bytes() + net_constant_bytes(model, input);
}

}  // namespace

std::optional<Footprint> footprint(const Model& model) {
  LoweredModel lowered = lower(model);
  if (!fits_c(lowered)) return std::nullopt;
  const CInput levels = level_input(lowered);
  Footprint taken{.flash = 0,
                  .ram = stack_bytes(lowered, CInput::real),
                  .int8_flash = 0,
                  .int8_ram = stack_bytes(lowered, levels),
                  .multiplications = multiplications_of(lowered)};
  fold_unit_inputs(lowered);
  taken.flash = flash_of(lowered, CInput::real);
  tell_apart(lowered);
  taken.int8_flash = flash_of(lowered, levels);
  if (levels == CInput::wide_level) taken.int8_flash += 3 * most_steep(lowered.inputs.size());
  return taken;
}

}  // namespace coppice
