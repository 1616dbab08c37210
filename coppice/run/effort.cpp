#include "coppice/run/effort.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace coppice {

namespace {

constexpr double usual_steps = 50;  ///< per epoch: MNIST, which all numbers below were found for
constexpr std::size_t smallest_batch = 32;
constexpr std::size_t largest_batch = 1000;

struct Preset {
  double start_units;  ///< the most of them
  double add_units;
  double unit_lifetime;
  double patience;
  double settle_epochs;
  double fine_patience;
};
constexpr Preset quick{.start_units = 100,
                       .add_units = 1,
                       .unit_lifetime = 8,
                       .patience = 4,
                       .settle_epochs = 36,
                       .fine_patience = 1};
constexpr Preset normal{.start_units = 100,
                        .add_units = 2,
                        .unit_lifetime = 20,
                        .patience = 20,
                        .settle_epochs = std::numeric_limits<double>::infinity(),
                        .fine_patience = 2};
constexpr Preset paper{.start_units = 10,
                       .add_units = 1,
                       .unit_lifetime = 50,
                       .patience = 100,
                       .settle_epochs = std::numeric_limits<double>::infinity(),
                       .fine_patience = 5};

constexpr std::array<std::string_view, 9> governed{"start-units",   "angular-step",  "angle",
                                                   "unit-lifetime", "add-units",     "additions-per-epoch",
                                                   "patience",      "settle-epochs", "fine-patience"};

/// More units to start with save the epochs of growing them, but few rows never fill a hundred.
double start_units(double most, std::size_t rows) {
  constexpr double rows_per_unit = 500;
  constexpr double fewest = 20;
  return std::clamp(std::round(static_cast<double>(rows) / rows_per_unit), std::min(fewest, most), most);
}

}  // namespace

bool set_by_effort(std::string_view setting) {
  return std::ranges::count(governed, setting) > 0;
}

double default_angle(std::size_t batch, double steps_per_epoch) {
  constexpr double on_mnist = 0.05;
  return on_mnist * std::sqrt(static_cast<double>(batch) / static_cast<double>(largest_batch)) *
         std::pow(std::min(1.0, usual_steps / steps_per_epoch), 0.75);
}

void apply_effort(RunOptions& options, std::size_t train_rows) {
  TrainingOptions& training = options.training;
  const bool own_batch = training.batch_size != 0;
  if (!own_batch) {
    training.batch_size =
        std::clamp(train_rows / static_cast<std::size_t>(usual_steps), smallest_batch, largest_batch);
  }
  const double steps = static_cast<double>(train_rows) / static_cast<double>(training.batch_size);
  const bool is_paper = options.effort == Effort::paper;
  const Preset& preset = is_paper ? paper : options.effort == Effort::quick ? quick : normal;
  // Epochs of many steps need fewer of them: the paper, too, cut its numbers for poker's 800 steps to a tenth.
  const double scale = is_paper ? 1.0 : std::sqrt(std::min(1.0, usual_steps / steps));
  const auto fill = [&](const char* name, auto& field, double value) {
    using Field = std::remove_reference_t<decltype(field)>;
    if (!options.given.contains(name)) field = static_cast<Field>(value);
  };
  fill("start-units", training.start_units,
       is_paper ? preset.start_units : start_units(preset.start_units, train_rows));
  fill("add-units", training.add_units, preset.add_units);
  fill("additions-per-epoch", training.additions_per_epoch, 1 / scale);
  fill("unit-lifetime", training.unit_lifetime, preset.unit_lifetime * scale);
  fill("patience", training.patience, preset.patience * scale);
  fill("settle-epochs", training.settle_epochs, preset.settle_epochs * scale);
  fill("fine-patience", training.fine_patience, preset.fine_patience * scale);
  if (!options.given.contains("angle") && !options.given.contains("angular-step")) {
    if (is_paper) {
      const double share = own_batch ? 1.0 : std::clamp(steps / usual_steps, 1 / usual_steps, 1.0);
      training.angular_step = TrainingOptions{}.angular_step * share;
    } else {
      training.angle = default_angle(training.batch_size, steps);
    }
  }
  options.fitted = true;
}

}  // namespace coppice
