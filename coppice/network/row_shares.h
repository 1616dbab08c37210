#pragma once

#include "coppice/core/bytes.h"
#include "coppice/data/dataset.h"
#include "coppice/device/compute.h"
#include "coppice/device/part_sums.h"
#include "coppice/network/network.h"
#include "coppice/network/workspace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Passes over a batch whose rows lie in several processes. Rows are cut into shares by their number; every sum over rows is that
// of its shares, added in a fixed tree, so it does not depend on who holds which share, or on how many do.
namespace coppice {

/// More would cut the products of usual batches too small.
constexpr std::size_t row_shares = 8;
constexpr std::size_t share_of_row(std::uint32_t row) {
  return row % row_shares;
}

/// What can be asked of shares; the answer has a part for each of them unless it says otherwise.
enum class ShareQuestion : std::uint8_t {
  forward,   ///< z of a layer, with what normalises the layer below: moments, if it is capped
  loss,      ///< with what normalises the outputs: losses, and the sums of their gradients if they are capped
  backward,  ///< with the sums of a layer's gradient: that of its weights, one for all shares, and the sums of the layer below
  evaluate   ///< of a network with fixed numbers: losses, and scores if they are wanted
};

void put_weights(ByteWriter& to, const Network<float>& network);

/// Adds matrices as the leaves of a balanced tree; their number is a power of two.
Matrix<float> tree_sum(ThreadPool& pool, std::span<Matrix<float>> matrices);

/// The shares [first, first + count) of a data set, in memory, and the passes over them. What it is asked, and what it answers,
/// are bytes: who asks (row_team.h) may be another process.
class HeldShares {
 public:
  /// `count` is a power of two and `first` a multiple of it: a node of the tree.
  HeldShares(const Dataset& data, std::size_t first, std::size_t count);

  std::string answer(const Compute& compute, std::string_view question);

 private:
  struct Share {
    std::optional<PackedRows> held;  ///< its rows, where the data set has them in a file
    Workspace<float> workspace;
    std::vector<PartMoments> moments;
    std::vector<PartGradient> gradients;
  };
  void gather(Share& share, std::span<const std::uint32_t> rows) const;
  std::vector<std::vector<std::uint32_t>> divided(const std::vector<std::uint32_t>& rows) const;
  template <class Body>
  void for_shares(const Compute& compute, const Body& body);
  void forward(const Compute& compute, ByteReader& from, ByteWriter& to);
  void loss(const Compute& compute, ByteReader& from, ByteWriter& to);
  void backward(const Compute& compute, ByteReader& from, ByteWriter& to);
  void evaluate(const Compute& compute, ByteReader& from, ByteWriter& to);
  void take_normalisation(const Compute& compute, std::size_t layer, ByteReader& from);
  void put_gradients(const Compute& compute, std::size_t layer, ByteWriter& to);

  const Dataset* data_;
  std::size_t first_;
  std::vector<Share> shares_;
  Network<float> network_;
};

}  // namespace coppice
