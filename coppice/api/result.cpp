#include "coppice/api/result.h"

#include "coppice/api/choose.h"
#include "coppice/core/fail.h"

#include <algorithm>

namespace coppice {

std::vector<std::size_t> Summary::front() const {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < nets.size(); ++i) {
    if (!nets[i].dominated) indices.push_back(i);
  }
  std::ranges::stable_sort(indices, {}, [&](std::size_t i) { return nets[i].parameters; });
  return indices;
}

bool tells_rows_apart(const NetResult& net, const BaseRate& base) {
  constexpr double much = 0.99;
  return net.log_loss && *net.log_loss < much * base.log_loss;
}

const Model& Result::model() const {
  if (!chosen) fail_option(max_parameters ? "max-parameters" : "max-bytes", "{}", nothing_fits(*this));
  return models[*chosen];
}

}  // namespace coppice
