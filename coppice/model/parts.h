#pragma once

#include "coppice/data/encoding.h"
#include "coppice/model/conformity.h"
#include "coppice/model/model.h"
#include "coppice/network/network.h"
#include "coppice/network/workspace.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

/// A network as it was trained, with CapNorm's numbers.
struct ModelNet {
  Network<float> network;
  Statistics<float> statistics;
  bool plain = false;  ///< it takes those of the encoding's inputs that are not bins
};

/// What a model is made of, and what its file holds. Most have one net; the scores of several are averaged.
struct ModelParts : ModelNet {
  Encoding encoding;
  double temperature = 1;  ///< probabilities = softmax(score / temperature)
  ModelOrigin origin;
  Conformity conformity;  ///< what prediction intervals and sets are made of; without rows: there are none
  std::vector<ModelNet> others;  ///< of an ensemble: the nets beside the first

  std::size_t nets() const { return 1 + others.size(); }
  const ModelNet& net(std::size_t index) const { return index == 0 ? *this : others[index - 1]; }
  ModelNet& net(std::size_t index) { return index == 0 ? *this : others[index - 1]; }
};

/// The model as bytes: see docs/model-format.md.
std::string model_bytes(const ModelParts& model);

/// The bytes of a file that is a model, or at least begins like one: others, however large, are not read.
std::string read_model_file(const std::string& path);

/// Reads what model_bytes wrote; `name` is the file for messages. Fails on anything truncated, altered or newer, and on
/// numbers that no network computes with.
ModelParts parse_model(std::string_view bytes, const std::string& name);

}  // namespace coppice
