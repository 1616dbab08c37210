#pragma once

#include "coppice/api/front.h"
#include "coppice/api/options.h"
#include "coppice/data/encoding.h"
#include "coppice/training/options.h"

#include <cstddef>
#include <string>

// From what somebody said to what is done: pure functions.
namespace coppice {

/// What of the data decides settings that were left open.
struct DataFacts {
  std::string target;
  Task task = Task::classification;
  Scaling scaling = Scaling::column;
  TargetTransform transform = TargetTransform::none;
  std::size_t folds = 0;  ///< of an ensemble
  bool taught = false;    ///< it teaches one net
  std::size_t train_rows = 0;
  bool images = false;
};

/// The options that depend neither on effort nor on data, as they are if nobody sets them.
Options standard_options();

/// The options with all that was left open decided; what was set stays. What still is unset means "no limit", "found while
/// training" (lambdas), or is left to the device.
///
/// The batch size: a fiftieth of the rows, as on MNIST, between 32 and 1000.
///
/// quick, normal: an angle, and phases, lifetimes and growth measured in steps rather than in epochs where an
/// epoch has many steps. paper: the paper's numbers for MNIST; only where small data leave fewer than fifty steps
/// per epoch the angular step is scaled down with them, since gradients are scaled by 1/n.
Options resolve(const Options& options, const DataFacts& facts);

/// Radians that suit batches of so many rows and epochs of so many steps. The noise of a batch falls with the root of
/// its rows, so smaller batches turn less far; and with more steps per epoch each may be smaller. docs/results.md has the
/// evidence.
double default_angle(std::size_t batch, double steps_per_epoch);

/// Nets of the model: as told, or five (ten of 200 to 5,000 rows) on the folds of a table of 40 to 100,000 rows, where neither
/// rows to validate on nor a budget are told and it is left open which nets are trained.
std::size_t nets_of_ensemble(const Options& options, bool image, std::size_t rows);

/// Nets of the ensemble that teaches one net where no ensemble is wanted; 0: nobody does.
std::size_t nets_of_teacher(const Options& options, bool image, std::size_t rows);

/// Share of the rows that validates: as told, or the usual one; 0 where the rows are told otherwise.
double validation_share(const Options& options, bool images);

// Parts of complete options, as the rooms below take them.
EncodingOptions encoding_options(const Options& options);
TrainingOptions training_options(const Options& complete);
Budget budget_of(const Options& options);

/// Number of threads that the options ask for.
std::size_t thread_count(const Options& options);

/// Bytes that `memory` says, or what is usual.
double memory_of(const Options& options);

}  // namespace coppice
