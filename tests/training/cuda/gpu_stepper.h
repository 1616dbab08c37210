#pragma once

#include "coppice/core/random.h"
#include "coppice/device/cuda/grow.h"
#include "coppice/network/cuda/device_dataset.h"
#include "coppice/training/cuda/nets.h"
#include "coppice/training/cuda/optimizer_step.h"

#include "tests/training/beside_reference.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace coppice {

/// The kernels that move weights, add units and close gaps, by themselves, for the middle one of three nets; the
/// others rest and must stay as they are.
class GpuStepper {
 public:
  using Number = float;
  static constexpr std::size_t nets = 3;
  static constexpr std::size_t own = 1;
  static constexpr int samples = 100;

  GpuStepper(Network<float> network, const TrainingOptions& options)
      : options_(options),
        nets_(network, nets, samples, {64, 64, static_cast<int>(network.outputs())},
              cuda::memory_for(options.optimizer, options.norm), static_cast<int>(nets), stream_),
        step_(nets_, options_, stream_),
        failed_(nets),
        first_step_(1),
        births_(nets * most_births) {
    state_.optimizer = make_optimizer(options)->start(network);
    state_.network = std::move(network);
    resting_ = state_;
    for (std::size_t i = 0; i < nets; ++i) nets_.put(i, state_, cuda::Version::current);
    const std::vector<int> counts{0, samples, 0};
    samples_ = cuda::uploaded(std::span<const int>(counts), stream_);
    const std::vector<std::uint64_t> seeds(nets, addition_seed);
    seeds_ = cuda::uploaded(std::span<const std::uint64_t>(seeds), stream_);
    for (std::size_t l = 0; l < nets_.layers(); ++l) {
      const cuda::FanIns& layer = nets_.layer(l);
      cuda::fill(layer.died, 0xff, nets * layer.unit_stride * sizeof(int), stream_);
    }
  }

  const Network<float>& network() const { return state_.network; }
  const OptimizerState& state() const { return state_.optimizer; }
  const StepTally& tally() const { return tally_; }

  void advance(const Workspace<float>& workspace, const StepSizes& sizes,
               const std::vector<Addition>& additions) {
    put_widths();
    for (std::size_t l = 0; l < nets_.layers(); ++l) put_gradient(l, workspace.layers[l].weight_gradient);
    move(sizes);
    add(additions);
    close_gaps();
    nets_.get(own, state_, cuda::Version::current);
    EXPECT_EQ(cuda::downloaded(failed_.data(), nets, stream_), std::vector<int>(nets));
    for (const std::size_t other : {own - 1, own + 1}) {
      NetState now = resting_;
      nets_.get(other, now, cuda::Version::current);
      EXPECT_TRUE(now.network == resting_.network);
      EXPECT_TRUE(now.optimizer == resting_.optimizer);
    }
  }

 private:
  static constexpr std::size_t most_births = 2;

  void put_widths() const {
    std::vector<int> widths;
    for (std::size_t l = 0; l < nets_.layers(); ++l) {
      for (std::size_t i = 0; i < nets; ++i) {
        const NetState& state = i == own ? state_ : resting_;
        widths.push_back(static_cast<int>(state.network.layers[l].units.size()));
      }
    }
    cuda::copy(nets_.widths(), widths.data(), widths.size() * sizeof(int), stream_);
    stream_.wait();
  }

  void put_gradient(std::size_t l, const Matrix<float>& gradient) const {
    const cuda::FanIns& layer = nets_.layer(l);
    const View<const float> from = gradient.view();
    cuda::copy_rows(layer.gradient + own * layer.net_stride,
                    static_cast<std::size_t>(layer.stride) * sizeof(float), from.data,
                    from.stride * sizeof(float), from.cols * sizeof(float), from.rows, stream_);
    stream_.wait();
  }

  void move(const StepSizes& sizes) {
    const cuda::NetStep step{
        sizes.angular,   sizes.radial,           sizes.shrinkage / samples, sizes.by_angle,
        sizes.trust,     sizes.relative_epsilon, sizes.relative_shrinkage,  sizes.exponential,
        sizes.peak_decay};
    const std::vector<cuda::NetStep> all(nets, step);
    const cuda::Array<cuda::NetStep> device_sizes =
        cuda::uploaded(std::span<const cuda::NetStep>(all), stream_);
    step_.begin(stream_);
    step_.enqueue({.sizes = device_sizes.data(),
                   .samples = {.per_net = samples_.data(), .most = samples},
                   .failed = failed_.data(),
                   .first_step = first_step_.data(),
                   .step = 0,
                   .shrinks = sizes.shrinkage > 0},
                  stream_);
    cuda::copy(nets_.largest(), nets_.largest() + nets, nets * sizeof(cuda::Largest), stream_);
    stream_.wait();
    const std::vector<StepTally> tallies =
        cuda::downloaded(step_.tallies().data(), nets * nets_.layers(), stream_);
    for (std::size_t i = 0; i < tallies.size(); ++i) {
      if (i / nets_.layers() == own)
        tally_ += tallies[i];
      else
        EXPECT_EQ(tallies[i], StepTally{}) << "it rests";
    }
  }

  /// Before gaps are closed, as in the middle of an epoch: dead units below must get no weight.
  void add(const std::vector<Addition>& additions) {
    ASSERT_LE(additions.size(), most_births);
    std::vector<cuda::NewUnit> births(nets * most_births);
    for (std::size_t i = 0; i < additions.size(); ++i) {
      const Addition& addition = additions[i];
      births[own * most_births + i] = {static_cast<int>(addition.layer), addition.unit};
      state_.network.layers[addition.layer].units.push_back(addition.unit);
    }
    const std::vector<int> counts{0, static_cast<int>(additions.size()), 0};
    const cuda::Array<int> device_counts = cuda::uploaded(std::span<const int>(counts), stream_);
    cuda::copy(births_.data(), births.data(), births_.bytes(), stream_);
    cuda::grow({.layers = nets_.table(),
                .widths = nets_.widths(),
                .count = device_counts.data(),
                .all = births_.data(),
                .most = most_births,
                .seeds = seeds_.data(),
                .purpose = static_cast<std::uint32_t>(Purpose::new_unit),
                .fan_out = options_.regularizer.fan == Fan::fan_out},
               nets, stream_);
    stream_.wait();
  }

  void close_gaps() {
    std::vector<std::vector<int>> keep;
    for (std::size_t l = 0; l < nets_.layers(); ++l) {
      const cuda::FanIns& layer = nets_.layer(l);
      const std::vector<int> died = cuda::downloaded(layer.died, nets * layer.unit_stride, stream_);
      std::vector<int>& slots = keep.emplace_back(nets * layer.unit_stride, -1);
      for (std::size_t i = 0; i < nets; ++i) {
        std::vector<std::uint32_t>& units = (i == own ? state_ : resting_).network.layers[l].units;
        std::vector<std::uint32_t> living;
        for (std::size_t j = 0; j < units.size(); ++j) {
          const std::size_t at = i * layer.unit_stride;
          if (died[at + j] != cuda::alive) continue;
          slots[at + living.size()] = static_cast<int>(j);
          living.push_back(units[j]);
        }
        units = living;
      }
    }
    nets_.close_gaps(keep);
    stream_.wait();
  }

  TrainingOptions options_;
  cuda::Stream stream_;
  cuda::Nets nets_;
  cuda::OptimizerStep step_;
  NetState state_;
  NetState resting_;
  StepTally tally_ = {};
  cuda::Array<int> failed_;
  cuda::Array<int> first_step_;
  cuda::Array<int> samples_;
  cuda::Array<std::uint64_t> seeds_;
  cuda::Array<cuda::NewUnit> births_;
};

}  // namespace coppice
