#pragma once

#include "coppice/run/settings.h"

#include <cstddef>
#include <string_view>

// Defaults that depend on the effort and on the size of the data.
namespace coppice {

/// Whether the effort decides this setting's default.
bool set_by_effort(std::string_view setting);

/// Fills in what the user left open, once the number of training rows is known. What was given stays.
///
/// The batch size: a fiftieth of the rows, as on MNIST, between 32 and 1000.
///
/// quick, normal: an angle, and phases, lifetimes and growth measured in steps rather than in epochs where an
/// epoch has many steps. paper: the paper's numbers for MNIST; only where small data leave fewer than fifty steps
/// per epoch the angular step is scaled down with them, since gradients are scaled by 1/n.
void apply_effort(RunOptions& options, std::size_t train_rows);

/// Radians that suit batches of so many rows and epochs of so many steps. The noise of a batch falls with the root of
/// its rows, so smaller batches turn less far; and with more steps per epoch each may be smaller. docs/results.md has the
/// evidence.
double default_angle(std::size_t batch, double steps_per_epoch);

}  // namespace coppice
