#pragma once

#include "coppice/core/spread.h"
#include "coppice/data/encoding.h"
#include "coppice/device/gpu.h"
#include "coppice/run/front.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace coppice {

/// What one finished net came to: a row of the final table, an entry of summary.json.
struct NetResult {
  std::size_t id = 0;
  double lambda = 0;
  std::uint64_t seed = 0;
  std::vector<std::size_t> hidden_units;
  std::size_t parameters = 0;
  double train_loss = 0;
  double validation_error = 0;
  double standard_error = 0;  ///< of the validation error
  std::optional<double> test_error;
  std::size_t epochs = 0;
  std::string phase;
  std::optional<std::size_t> warm_from;  ///< index of the net it began as
  bool dominated = false;                ///< another net is at most as large and at least as good
  std::size_t bytes = 0;                 ///< of its model file
  std::string model;                     ///< file name inside the run directory
};

struct Summary {
  std::vector<NetResult> nets;
  std::size_t best =
      0;  ///< index of the lowest validation error; ties: fewer parameters, then the earlier net
  std::optional<std::size_t> chosen;  ///< index of the net that is the model; nothing fits the budget: none
  Pick pick = Pick::best;
  Budget budget;
  double seconds = 0;
  std::size_t threads = 0;
  Device device = Device::cpu;
  Task task = Task::classification;
};
Candidate candidate_of(const NetResult& net);
/// Marks the nets that are not on the front.
void mark_dominated(Summary& summary);

/// The nets of one lambda, whatever their seeds.
struct FrontPoint {
  double lambda = 0;
  std::vector<std::size_t> nets;  ///< indices
  Spread parameters;
  Spread validation_error;
  std::optional<Spread> test_error;
};
/// By the order in which lambdas first occur.
std::vector<FrontPoint> points_of(const Summary& summary);

/// What summary.json holds.
nlohmann::ordered_json summary_json(const Summary& summary);
Summary parse_summary(const nlohmann::json& json, const std::string& name);

}  // namespace coppice
