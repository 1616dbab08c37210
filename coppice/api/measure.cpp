#include "coppice/api/measure.h"

#include "coppice/version.h"

namespace coppice {

MeasuredNet measure(ThreadPool& pool, const Trainer& trainer, const NetRun& run, const NetState& state,
                    const PreparedData& data) {
  const NetData net = data.net_data(run.seed);
  const std::vector<std::uint32_t> test_rows = data.all_test_rows();
  return measure_net(pool, trainer, run, state,
                     {.encoding = &data.encoding,
                      .net = &net,
                      .test = data.has_test() ? &data.test_set() : nullptr,
                      .test_rows = test_rows,
                      .version = version()});
}

}  // namespace coppice
