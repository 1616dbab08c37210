#pragma once

#include "coppice/data/table.h"
#include "coppice/model/model.h"
#include "coppice/run/settings.h"

#include <string>
#include <vector>

// Training that goes on from a model: its columns, classes and scaling stay.
namespace coppice {

/// The model that --warm-start names. Takes over what it settles (target, task, scaling, layers, nonlinearity) and
/// refuses options that contradict it.
Model model_to_continue(RunOptions& options);

/// How the data file is to be loaded for that model.
TrainingPlan plan_continuing(const TableProfile& profile, const Encoding& encoding,
                             std::vector<std::string>& warnings);

/// Fails if the data, encoded for the model, has a class that the model does not know.
void refuse_new_classes(const Table& table, const Dataset& data, const Encoding& encoding,
                        const RunOptions& options);

}  // namespace coppice
