#pragma once

#include "coppice/api/options.h"
#include "coppice/data/dataset.h"
#include "coppice/data/encoding.h"

// Training that goes on from a model: its columns, classes and scaling stay.
namespace coppice {

/// The options with what the model of `warm_start` settles (target, task, scaling, layers, nonlinearity). Fails if they
/// contradict it.
Options settled_by_model(const Options& options);

/// Fails if the data, encoded for the model, has a class that the model does not know.
void refuse_new_classes(const Table& table, const Dataset& data, const Encoding& encoding);

}  // namespace coppice
