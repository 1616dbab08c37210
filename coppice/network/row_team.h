#pragma once

#include "coppice/device/loss.h"
#include "coppice/network/row_shares.h"

#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace coppice {

/// Those who hold the rows of a data set together, seen by the one who trains. They pass over one batch at a time, whoever
/// asks.
class RowTeam {
 public:
  virtual ~RowTeam() = default;

  /// As gather_batch and compute_gradient (gradient.h) over these rows.
  LossSum gradient(const Compute& compute, const Network<float>& network, std::span<const std::uint32_t> rows,
                   float scale, float label_smoothing, Workspace<float>& workspace);
  /// As measure_statistics (evaluate.h).
  Statistics<float> statistics(const Compute& compute, const Network<float>& network,
                               std::span<const std::uint32_t> rows);
  /// As evaluate (evaluate.h).
  LossSum evaluate(const Compute& compute, const Network<float>& network, const Statistics<float>& statistics,
                   std::span<const std::uint32_t> rows, Matrix<float>* scores);

 protected:
  /// What each process answers, in the order of the shares that it holds; as many as a power of two.
  virtual std::vector<std::string> ask(const Compute& compute, const std::string& question) = 0;

 private:
  struct Totals {
    std::vector<float> mean;
    std::vector<float> divisor;
    double weight = 0;  ///< of all rows
  };
  Totals forward(const Compute& compute, const Network<float>& network, std::size_t layer,
                 std::span<const std::uint32_t> rows, const Totals& below);

  std::mutex mutex_;
};

/// One process that holds all of them.
class LocalTeam final : public RowTeam {
 public:
  explicit LocalTeam(const Dataset& data) : shares_(data, 0, row_shares) {}

 protected:
  std::vector<std::string> ask(const Compute& compute, const std::string& question) override {
    return {shares_.answer(compute, question)};
  }

 private:
  HeldShares shares_;
};

}  // namespace coppice
