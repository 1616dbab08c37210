#include "coppice/reproduce/nonparametric.h"

#include "coppice/core/text.h"

#include <algorithm>

namespace coppice::reproduce {

namespace {

Nonparametric nets_on(const Session& session, DataFiles data, std::vector<double> lambdas) {
  lambdas.resize(std::min(lambdas.size(), session.counts.lambdas));
  // As flags have them: 0.009, not 0.009000000000000001.
  for (double& lambda : lambdas)
    lambda = *parse_number(numbers_text({lambda * static_cast<double>(session.counts.lambda_times)}));
  Nonparametric set{.data = std::move(data), .lambdas = std::move(lambdas), .flags = {}, .nets = {}};
  set.flags = growing_flags(session.counts, set.data, set.lambdas);
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

}  // namespace coppice::reproduce
