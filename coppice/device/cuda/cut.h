#pragma once

#include "coppice/device/host_device.h"

// Where few nets would leave a GPU idle, the sums of their products are cut into parts. Into how many is decided by what
// is fixed for a run and by a net's own sizes, so its bits depend neither on the nets beside it nor on interruptions.
namespace coppice::cuda {

/// What all products of a kind bring to the GPU in every step of a run.
struct Load {
  int nets = 1;     ///< that take their steps together
  int columns = 1;  ///< that each net's product has at least
};

/// Into how many parts the sums of a product are cut.
struct Cut {
  int blocks = 0;  ///< tiles of 64 x 64 that are a net's fair share of the GPU
  int most = 1;    ///< parts
};

constexpr int most_parts = 8;
constexpr int cut_tile = 64;

/// most_k: how long the sums may be.
Cut cut_for(const Load& load, int most_k);

/// Of a product of m x n sums of length k: as many as the share allows, but none of less than 64 products.
COPPICE_HOST_DEVICE inline int parts_of(const Cut& cut, int m, int n, int k) {
  constexpr int least = 64;
  const int tiles = ((m + cut_tile - 1) / cut_tile) * ((n + cut_tile - 1) / cut_tile);
  const int wanted = tiles > 0 ? cut.blocks / tiles : 1;
  const int longest = cut.most < k / least ? cut.most : k / least;
  const int parts = wanted < longest ? wanted : longest;
  return parts > 1 ? parts : 1;
}

}  // namespace coppice::cuda
