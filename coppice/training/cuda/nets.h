#pragma once

#include "coppice/device/cuda/adarad.h"
#include "coppice/device/cuda/fan_ins.h"
#include "coppice/training/cuda/layer_copy.h"
#include "coppice/training/net_run.h"

#include <cstddef>
#include <span>
#include <vector>

namespace coppice::cuda {

enum class Version : std::uint8_t { current, kept };

/// All nets in the GPU's memory, twice: as they are and as rewinds bring them back. Layer l of every net lies
/// in one array of capacity(l) units; their host copies hold ids and numbers but no weights.
class Nets {
 public:
  /// batch: samples of a step, as many as any net takes; expected: nets of the run, which decide how products are
  /// computed.
  Nets(const Network<float>& like, std::size_t nets, std::size_t batch, const std::vector<int>& capacities,
       const NetMemory& memory, int expected, const Stream& stream);

  std::size_t nets() const { return nets_; }
  /// Products with so many columns.
  Load load(int columns) const { return {.nets = expected_, .columns = columns}; }
  /// Those that give the layer's gradient: a row of c for each of its units, a column for each below.
  Load gradient_load(std::size_t layer) const { return load(layer == 0 ? inputs_ : 1); }
  std::size_t layers() const { return layers_.size(); }
  int capacity(std::size_t layer) const { return views_[layer].units.most; }
  const FanIns& layer(std::size_t l) const { return views_[l]; }
  std::span<const FanIns> views() const { return views_; }
  const FanIns* table() const { return table_.data(); }  ///< the same on the GPU
  int* widths() const { return widths_.data(); }         ///< [layer][net]
  Largest* largest() const { return largest_.data(); }
  Lengths* lengths(std::size_t layer) const { return layers_[layer].lengths.data(); }

  /// Between a state on the host and the GPU. `get` takes the widths from the state's unit ids.
  void put(std::size_t net, const NetState& state, Version version) const;
  void get(std::size_t net, NetState& state, Version version) const;
  void copy_version(std::size_t net, Version from, Version to) const;

  /// Closes gaps: keep[l][net * capacity(l) + j] is the slot that becomes slot j, or -1.
  void close_gaps(const std::vector<std::vector<int>>& keep);

 private:
  struct LayerArrays {
    LayerCopy copies[2];  ///< by Version
    Array<float> gradient;
    Array<float> affine_gradient;
    Array<RowDots> dots;
    Array<double> mean_square;
    Array<std::uint8_t> ends;
    Array<int> died;
    Array<int> keep;
    Array<Lengths> lengths;
  };
  static FanIns view_of(const LayerArrays& arrays);
  LayerCopy::Strides strides(std::size_t layer) const {
    return {.units = views_[layer].unit_stride, .row = static_cast<std::size_t>(views_[layer].stride)};
  }
  const LayerCopy& copy_of(std::size_t layer, Version version) const {
    return layers_[layer].copies[static_cast<std::size_t>(version)];
  }
  Largest* largest_of(std::size_t net, Version version) const {
    return version == Version::current ? largest_.data() + net : kept_largest_.data() + net;
  }

  std::size_t nets_;
  int expected_;
  int inputs_;  ///< of the first layer
  const Stream* stream_;
  std::vector<LayerArrays> layers_;
  std::vector<FanIns> views_;
  Array<FanIns> table_;
  Array<int> widths_;
  Array<Largest> largest_;  ///< twice per net: before and after a step
  Array<Largest> kept_largest_;
};

/// Drops weights and optimizer numbers, which are on the GPU: copies of the rest are cheap.
void strip(NetState& state);

}  // namespace coppice::cuda
