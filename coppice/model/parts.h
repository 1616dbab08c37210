#pragma once

#include "coppice/data/encoding.h"
#include "coppice/model/model.h"
#include "coppice/network/network.h"
#include "coppice/network/workspace.h"

#include <string>
#include <string_view>

namespace coppice {

/// What a model is made of, and what its file holds: the network as it was trained.
struct ModelParts {
  Encoding encoding;
  Network<float> network;
  Statistics<float> statistics;
  double temperature = 1;  ///< probabilities = softmax(score / temperature)
  ModelOrigin origin;
};

/// The model as bytes: see docs/model-format.md.
std::string model_bytes(const ModelParts& model);

/// Reads what model_bytes wrote; `name` is the file for messages. Fails on anything truncated, altered or newer, and on
/// numbers that no network computes with.
ModelParts parse_model(std::string_view bytes, const std::string& name);

}  // namespace coppice
