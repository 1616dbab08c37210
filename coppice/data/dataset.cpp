#include "coppice/data/dataset.h"

namespace coppice {

Matrix<float> inputs_of(const Dataset& data, std::span<const std::uint32_t> rows) {
  Matrix<float> inputs = Matrix<float>::packed(rows.size(), data.input_count());
  if (data.packed) {
    data.packed->read(rows, inputs);
    return inputs;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(data.inputs.row(rows[i]), inputs[i]);
  return inputs;
}

}  // namespace coppice
