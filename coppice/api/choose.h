#pragma once

#include "coppice/api/front.h"
#include "coppice/api/result.h"
#include "coppice/core/spread.h"

#include <optional>
#include <string>
#include <vector>

// What the nets of a training say together.
namespace coppice {

/// Marks the nets that are not on the front.
void mark_dominated(Summary& summary);

/// The same, and finds the best net and the one that is wanted.
void choose(Summary& summary);

/// Why there is no chosen net, as a sentence that says what to do.
std::string nothing_fits(const Summary& summary);

/// Whether a net is like the first one but for lambda and seed.
bool on_path(const Summary& summary, const NetResult& net);

/// The nets of one lambda on the path, or of one fixed size, whatever their seeds.
struct FrontPoint {
  double lambda = 0;
  NetKind kind = NetKind::grown;
  std::vector<std::size_t> nets;  ///< indices
  Spread parameters;
  Spread validation_error;
  std::optional<Spread> test_error;
};
/// By the order in which lambdas and sizes first occur.
std::vector<FrontPoint> points_of(const Summary& summary);

}  // namespace coppice
