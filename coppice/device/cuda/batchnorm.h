#pragma once

#include "coppice/device/cuda/capnorm.h"

namespace coppice::cuda {

/// Batch normalisation of every net's units (coppice/device/batchnorm.h says what is computed).
void batchnorm_forward(const UnitRows& rows, std::size_t nets, const Stream& stream);

/// g, of the same strides, holds dE/dx and becomes dE/dz.
void batchnorm_backward(const UnitRows& rows, float* g, std::size_t nets, const Stream& stream);

}  // namespace coppice::cuda
