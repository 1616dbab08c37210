#include "coppice/training/cuda/orders.h"

#include "coppice/core/fail.h"
#include "coppice/training/schedule.h"

#include <algorithm>
#include <limits>

namespace coppice::cuda {

Orders::Orders(ThreadPool& pool, std::span<const NetData> data, std::span<const NetRun> runs)
    : pool_(&pool), data_(data), prepared_(runs.size(), none) {
  for (const NetData& net : data) stride_ = std::max(stride_, net.train_rows.size());
  if (runs.size() * stride_ > std::numeric_limits<std::uint32_t>::max()) {
    fail("GPU: {} nets with {} rows each are too many at once; train fewer nets per run", runs.size(),
         stride_);
  }
  host_ = Pinned<std::uint32_t>(runs.size() * stride_);
  next_ = Array<std::uint32_t>(host_.size());
  current_ = Array<std::uint32_t>(host_.size());
}

void Orders::prepare(std::span<const NetRun> runs, std::size_t ahead) {
  copies_.wait();
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].running() && prepared_[i] != runs[i].epoch + ahead) missing.push_back(i);
  }
  pool_->parallel_for(missing.size(), [&](std::size_t m) {
    const std::size_t net = missing[m];
    prepared_[net] = runs[net].epoch + ahead;
    const std::vector<std::uint32_t> order =
        batch_order(runs[net].seed, prepared_[net], data_[net].train_rows);
    std::ranges::copy(order, host_.data() + first(net));
  });
  for (const std::size_t net : missing) {
    copy(next_.data() + first(net), host_.data() + first(net),
         data_[net].train_rows.size() * sizeof(std::uint32_t), copies_);
  }
}

void Orders::use(std::span<const NetRun> runs, const Stream& stream) {
  prepare(runs, 0);
  stream.after(copies_);
  copy(current_.data(), next_.data(), current_.bytes(), stream);
  copies_.after(stream);
}

}  // namespace coppice::cuda
