#pragma once

#include "coppice/device/cuda/product.h"

namespace coppice::cuda {

/// Whether `product_wgmma` can compute it here and is the faster way: on Hopper, if there is enough to do.
bool wgmma_pays(const Product& p);

/// The same as `product` in tf32, but entries of a are cut off rather than rounded. a must be plain.
void product_wgmma(const Product& p, std::size_t nets, const Stream& stream);

}  // namespace coppice::cuda
