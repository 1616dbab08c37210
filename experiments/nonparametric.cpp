#include "experiments/nonparametric.h"

#include "coppice/core/text.h"

#include <algorithm>

namespace coppice::experiments {

namespace {

Nonparametric nets_on(const Session& session, DataFiles data, std::vector<double> lambdas) {
  const Counts& counts = session.counts;
  lambdas.resize(std::min(lambdas.size(), counts.lambdas));
  // As flags have them: 0.009, not 0.009000000000000001.
  for (double& lambda : lambdas)
    lambda = *parse_number(numbers_text({lambda * static_cast<double>(counts.lambda_times)}));
  Nonparametric set{.data = std::move(data), .lambdas = std::move(lambdas)};
  const Flags paper{{"effort", "paper"}, {"batch-size", "1000"}, {"angular-step", "30"}};
  set.flags = Flags{{"lambda", numbers_text(set.lambdas)}, {"seeds", std::to_string(counts.seeds)}} +
              (counts.short_protocol > 0 ? short_flags(set.data) : paper);
  set.nets = train_nets(session, set.data.name + "-adarad", set.data, set.flags);
  return set;
}

}  // namespace

Nonparametric mnist_nets(const Session& session) {
  return nets_on(session, find_mnist(session), {3e-3, 1e-3, 3e-4});
}

Nonparametric rectangles_nets(const Session& session) {
  return nets_on(session, find_rectangles(session), {3e-5, 1e-6});
}

Nonparametric convex_nets(const Session& session) {
  return nets_on(session, find_convex(session), {1e-5, 1e-8});
}

Flags short_flags(const DataFiles& data) {
  if (data.name == "mnist") return {{"effort", "normal"}, {"patience", "10"}};
  return {{"effort", "quick"}};
}

}  // namespace coppice::experiments
