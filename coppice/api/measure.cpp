#include "coppice/api/measure.h"

#include "coppice/version.h"

namespace coppice {

MeasuredNet measure(ThreadPool& pool, const Trainer& trainer, const NetRun& run, const NetState& state,
                    const PreparedData& data, NetShare share) {
  const NetData net = data.net_data(run.seed, share);
  const EncodedTables& tables = data.tables(share.plain);
  const std::vector<std::uint32_t> test_rows = data.all_test_rows();
  return measure_net(pool, trainer, run, state,
                     {.encoding = &tables.encoding,
                      .net = &net,
                      .test = data.has_test() ? &tables.test_set() : nullptr,
                      .test_rows = test_rows,
                      .version = version()});
}

}  // namespace coppice
