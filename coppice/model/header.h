#pragma once

#include "coppice/model/parts.h"

#include <cstddef>
#include <string>

#include <nlohmann/json.hpp>

namespace coppice {

/// Everything of a model but its tensors, as JSON.
nlohmann::json model_header(const ModelParts& model);

/// The model a header describes, with tensors of the right shapes still zero. Shapes are checked against
/// `values`, the number of floats that follow the header, before anything is allocated. Throws
/// nlohmann::json::exception or Error.
ModelParts model_from_header(const nlohmann::json& header, std::size_t values, const std::string& name);

}  // namespace coppice
