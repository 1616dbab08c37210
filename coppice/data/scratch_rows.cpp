#include "coppice/data/scratch_rows.h"

#include <utility>
#include <vector>

namespace coppice {

namespace {

/// Batches: rows that came in time because they were asked for do not tell whether that was needed.
constexpr int worth_asking = 1000;

}  // namespace

ScratchRows::ScratchRows(std::shared_ptr<ScratchFile> file, std::size_t rows, std::size_t cols)
    : file_(std::move(file)), rows_(rows), cols_(cols), begin_(file_->extend(rows * cols * sizeof(float))) {}

void ScratchRows::write(std::size_t first, View<const float> rows) {
  if (rows.stride == rows.cols) {
    file_->write(place(first), std::as_bytes(std::span(rows.data, rows.rows * rows.cols)));
    return;
  }
  for (std::size_t i = 0; i < rows.rows; ++i) file_->write(place(first + i), std::as_bytes(rows.row(i)));
}

void ScratchRows::read(std::span<const std::uint32_t> rows, View<float> out) const {
  std::vector<std::size_t> waiting;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!file_->read_soon(place(rows[i]), std::as_writable_bytes(out.row(i)))) waiting.push_back(i);
  }
  if (!waiting.empty()) expected_ = worth_asking;
  for (const std::size_t i : waiting) file_->read(place(rows[i]), std::as_writable_bytes(out.row(i)));
}

void ScratchRows::expect(std::span<const std::uint32_t> rows) const {
  if (expected_ <= 0) return;
  --expected_;
  for (const std::uint32_t row : rows) file_->expect(place(row), cols_ * sizeof(float));
}

}  // namespace coppice
