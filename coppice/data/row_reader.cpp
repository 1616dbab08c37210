#include "coppice/data/row_reader.h"

#include "coppice/device/rows.h"

#include <algorithm>

namespace coppice {

RowReader::RowReader(const Dataset& data, std::span<const std::uint32_t> rows) : data_(&data), rows_(rows) {
  put_in_order(OrderShelf::Use::again, {});
}

RowReader::RowReader(const Dataset& data, std::span<const std::uint32_t> rows,
                     const std::function<bool()>& stop,
                     const std::function<std::vector<std::uint32_t>()>& next)
    : data_(&data), rows_(rows) {
  put_in_order(OrderShelf::Use::once, stop);
  if (ordered_ && !stopped_ && next) data.packed->deal_on(*ordered_, next);
}

void RowReader::put_in_order(OrderShelf::Use use, const std::function<bool()>& stop) {
  if (!data_->packed || !data_->packed->in_file()) return;
  ordered_ = data_->packed->in_order(rows_, use, stop, stopped_);
  if (ordered_) reader_.emplace(*ordered_, rows_, data_->packed->format());
}

void RowReader::load(std::size_t first, std::size_t count) {
  if (reader_) reader_->load(first, count);
}

void RowReader::expect(std::size_t first, std::size_t count) const {
  if (!reader_) expect_rows(*data_, rows_.subspan(first, count));
}

void RowReader::read(std::size_t first, View<float> out) const {
  if (reader_) return reader_->read(first, out);
  const std::span<const std::uint32_t> rows = rows_.subspan(first, out.rows);
  if (data_->packed)
    data_->packed->read(rows, out);
  else
    gather_rows(data_->inputs.view(), rows, out);
}

void RowReader::read(std::size_t first, View<double> out) const {
  Matrix<float> inputs = Matrix<float>::packed(out.rows, out.cols);
  read(first, inputs.view());
  for (std::size_t i = 0; i < out.rows; ++i) std::ranges::copy(inputs.row(i), out[i]);
}

}  // namespace coppice
