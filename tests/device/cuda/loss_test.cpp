#include "coppice/device/cuda/loss.h"

#include "coppice/device/loss.h"

#include "tests/device/cuda/batch.h"
#include "tests/device/random_matrix.h"
#include "tests/gpu.h"

namespace coppice::cuda {
namespace {

using GpuLoss = test::OnGpu;

/// Two nets with different numbers of samples, twice as two groups, against the CPU in double. No classes:
/// squared error.
void check_loss(std::size_t outputs, bool classes, float smoothing = 0) {
  const Stream stream;
  const std::vector<int> samples{300, 77};
  constexpr std::size_t stride = 304;
  std::vector<Matrix<float>> scores;
  for (std::size_t i = 0; i < 2; ++i) {
    scores.push_back(random_matrix<float>(outputs, static_cast<std::size_t>(samples[i]), i, 2));
  }
  const Matrix<float> numbers = random_matrix<float>(3, 1000, 5);
  std::vector<float> targets(1000);
  std::vector<std::uint32_t> labels(1000);
  std::vector<std::uint32_t> picked;
  for (std::size_t i = 0; i < 1000; ++i) {
    targets[i] = numbers(0, i);
    labels[i] = static_cast<std::uint32_t>(i * 13 % (outputs + 1));  // some of a class that nobody knows
    picked.push_back(static_cast<std::uint32_t>(i * 7 % 1000));
  }
  const std::vector<std::uint32_t> first{0, 400};
  const std::vector<float> scale{0.5F, 0.25F};
  std::vector<float> offset;
  for (std::size_t k = 0; k < 2 * outputs; ++k) offset.push_back(numbers(1, k));
  PaddedMatrices device_scores(scores, outputs, stride);
  PaddedMatrices gradient(std::vector<Matrix<float>>(2), outputs, stride);
  const Array<float> device_targets = uploaded(std::span<const float>(targets), stream);
  const Array<std::uint32_t> device_labels = uploaded(std::span<const std::uint32_t>(labels), stream);
  const Array<std::uint32_t> device_picked = uploaded(std::span<const std::uint32_t>(picked), stream);
  const Array<std::uint32_t> device_first = uploaded(std::span<const std::uint32_t>(first), stream);
  const Array<float> device_scale = uploaded(std::span<const float>(scale), stream);
  const Array<float> device_offset = uploaded(std::span<const float>(offset), stream);
  const Array<int> device_samples = uploaded(std::span<const int>(samples), stream);
  const int count = loss_parts(300);
  const Array<LossPart> parts(static_cast<std::size_t>(2 * 2 * count));
  const Array<LossPart> totals(2);
  const Scores all{.scores = device_scores.data(),
                   .net_stride = device_scores.net_stride(),
                   .stride = device_scores.stride(),
                   .outputs = static_cast<int>(outputs),
                   .offset = classes ? device_offset.data() : nullptr,
                   .labels = classes ? device_labels.data() : nullptr,
                   .targets = classes ? nullptr : device_targets.data(),
                   .pick = {.all = device_picked.data(), .first = device_first.data()},
                   .samples = {.per_net = device_samples.data(), .most = 300},
                   .smoothing = smoothing};
  loss(all, device_scale.data(), gradient.data(), parts.data(), 2, stream);
  loss(all, nullptr, nullptr, parts.data() + 2 * count, 2, stream);
  add_loss(parts.data(), 2, count, totals.data(), 2, stream);
  stream.wait();
  gradient.download();
  const std::vector<LossPart> sums = downloaded(totals.data(), 2, stream);

  for (std::size_t i = 0; i < 2; ++i) {
    const Matrix<double> fine = converted<double>(scores[i]);
    Matrix<double> expected(fine.rows(), fine.cols());
    std::vector<std::uint32_t> own_labels;
    std::vector<float> own_targets;
    for (std::size_t s = 0; s < fine.cols(); ++s) {
      own_labels.push_back(labels[picked[first[i] + s]]);
      own_targets.push_back(targets[picked[first[i] + s]]);
    }
    std::vector<double> own_offset(offset.begin() + static_cast<std::ptrdiff_t>(i * outputs),
                                   offset.begin() + static_cast<std::ptrdiff_t>((i + 1) * outputs));
    const LossSum sum =
        classes ? cross_entropy<double>(fine, own_offset, own_labels, scale[i], expected, {}, smoothing)
                : squared_error<double>(fine, own_targets, scale[i], expected);
    EXPECT_NEAR(sums[i].loss, 2 * sum.loss, 1e-5 * sum.loss);
    EXPECT_EQ(sums[i].wrong, 2 * sum.wrong);
    for (std::size_t k = 0; k < fine.rows(); ++k) {
      for (std::size_t s = 0; s < fine.cols(); ++s) ASSERT_NEAR(gradient.at(i, k, s), expected(k, s), 2e-6);
    }
  }
}

TEST_F(GpuLoss, EqualsTheCpuInDouble) {
  check_loss(1, false);
  check_loss(2, true);
  check_loss(10, true);
  check_loss(10, true, 0.2F);
}

}  // namespace
}  // namespace coppice::cuda
