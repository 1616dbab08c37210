#pragma once

#include "coppice/data/encoding.h"
#include "coppice/network/network.h"
#include "coppice/network/workspace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coppice {

/// How a model came to be; all of it repeats with the same data and seed, so that model files do too.
struct Origin {
  std::string version;  ///< of the program that trained it
  std::string optimizer;
  double lambda = 0;
  std::uint64_t seed = 0;
  std::size_t epochs = 0;  ///< epochs trained in all
  std::string phase;       ///< of the protocol at the end: "done" when it ran to its end
  std::size_t train_rows = 0;
  std::size_t validation_rows = 0;
  double train_loss = 0;
  double validation_error = 0;
  std::optional<double> test_error;
};

/// A trained network with everything needed to use it on the user's raw file.
struct Model {
  Encoding encoding;
  Network<float> network;
  Statistics<float> statistics;
  double temperature = 1;  ///< probabilities = softmax(score / temperature)
  Origin origin;
};

/// The model as bytes: see docs/model-format.md.
std::string model_bytes(const Model& model);

/// Reads what model_bytes wrote; `name` is the file for messages. Fails on anything truncated, altered or
/// newer.
Model parse_model(std::string_view bytes, const std::string& name);

Model load_model(const std::string& path);

}  // namespace coppice
