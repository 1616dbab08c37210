#pragma once

#include "coppice/model/model.h"

#include <nlohmann/json.hpp>

namespace coppice {

/// All there is in a model, as JSON for people and other programs (docs/model-format.md): the header of its file, names of
/// the network's inputs, sizes; with `weights` also every number that is needed to build the network again.
nlohmann::ordered_json model_json(const Model& model, bool weights);

}  // namespace coppice
