#include "coppice/training/cuda/validation.h"

#include <algorithm>

namespace coppice::cuda {

namespace {

const std::vector<std::uint32_t>& rows_for(const NetData& net, bool training) {
  return training ? net.train_rows : net.validation_rows;
}

/// The first `stride` rows of every net, one list after the other.
Array<std::uint32_t> lists(std::span<const NetData> data, bool training, std::size_t stride,
                           const Stream& stream) {
  std::vector<std::uint32_t> all(data.size() * stride);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::vector<std::uint32_t>& rows = rows_for(data[i], training);
    std::copy_n(rows.begin(), std::min(stride, rows.size()),
                all.begin() + static_cast<std::ptrdiff_t>(i * stride));
  }
  return uploaded(std::span<const std::uint32_t>(all), stream);
}

}  // namespace

Validation::Validation(std::span<const NetData> data, const DeviceDataset& train,
                       const DeviceDataset& validation, std::size_t wide, std::size_t outputs,
                       const Stream& stream)
    : nets_(data.size()),
      train_(&train),
      validation_(&validation),
      wide_(wide),
      stride_(validation_statistics_rows) {
  for (const NetData& net : data) stride_ = std::max(stride_, net.validation_rows.size());
  train_rows_ = lists(data, true, stride_, stream);
  validation_rows_ = lists(data, false, stride_, stream);
  statistics_ = make_chunk(data, true, 0, validation_statistics_rows, stream);
  for (std::size_t from = 0; from < stride_; from += wide) {
    chunks_.push_back(make_chunk(data, false, from, wide, stream));
    chunks_.back().most = chunks_.front().most;  // alike, so that their losses are added as if they were one
  }
  if (outputs > 0) scores_ = Array<float>(nets_ * outputs * stride_);
  parts_ =
      Array<LossPart>(chunks_.size() * nets_ * static_cast<std::size_t>(loss_parts(chunks_.front().most)));
}

Validation::Chunk Validation::make_chunk(std::span<const NetData> data, bool training, std::size_t from,
                                         std::size_t size, const Stream& stream) const {
  Chunk chunk;
  std::vector<std::uint32_t> first;
  for (std::size_t i = 0; i < nets_; ++i) {
    const std::size_t rows = rows_for(data[i], training).size();
    const std::size_t count = std::min(size, rows - std::min(rows, from));
    chunk.counts.push_back(static_cast<int>(count));
    first.push_back(static_cast<std::uint32_t>(i * stride_ + from));
    chunk.most = std::max(chunk.most, static_cast<int>(count));
  }
  chunk.first = uploaded(std::span<const std::uint32_t>(first), stream);
  chunk.host_count = Pinned<int>(nets_);
  chunk.count = Array<int>(nets_);
  return chunk;
}

Rows Validation::rows_of(const DeviceDataset& data, const Array<std::uint32_t>& all, const Chunk& chunk) {
  return {.data = &data,
          .pick = {.all = all.data(), .first = chunk.first.data()},
          .count = {.per_net = chunk.count.data(), .most = chunk.most}};
}

void Validation::set_active(const std::vector<bool>& active, const Stream& stream) {
  const auto set = [&](Chunk& chunk) {
    for (std::size_t i = 0; i < nets_; ++i) chunk.host_count[i] = active[i] ? chunk.counts[i] : 0;
    copy(chunk.count.data(), chunk.host_count.data(), chunk.count.bytes(), stream);
  };
  set(statistics_);
  for (Chunk& chunk : chunks_) set(chunk);
}

void Validation::enqueue(const Passes& passes, LossPart* totals, const Stream& stream) const {
  passes.measure_statistics(rows_of(*train_, train_rows_, statistics_), stream);
  const int count = loss_parts(chunks_.front().most);
  LossPart* parts = parts_.data();
  std::size_t from = 0;
  for (const Chunk& chunk : chunks_) {
    const Rows rows = rows_of(*validation_, validation_rows_, chunk);
    passes.evaluate(rows, parts, stream);
    if (scores_.size() > 0) passes.keep_scores(rows, scores_.data(), stride_, from, stream);
    parts += nets_ * static_cast<std::size_t>(count);
    from += wide_;
  }
  add_loss(parts_.data(), static_cast<int>(chunks_.size()), count, totals, nets_, stream);
}

}  // namespace coppice::cuda
