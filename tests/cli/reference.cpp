#include "tests/cli/reference.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace coppice::test {

namespace {

double activate(const std::string& name, double y) {
  if (name == "tanh") return std::tanh(y);
  if (name == "abs") return std::abs(y);
  if (name == "identity") return y;
  return y > 0 ? y : (name == "relu" ? 0 : 0.01 * y);
}

double slope(const std::string& name, double y) {
  if (name == "tanh") return 1 - std::tanh(y) * std::tanh(y);
  if (name == "abs") return y > 0 ? 1 : -1;
  if (name == "identity") return 1;
  return y > 0 ? 1 : (name == "relu" ? 0 : 0.01);
}

}  // namespace

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void Reference::forward() {
  const auto n = static_cast<double>(rows());
  y.assign(layers.size(), {});
  x = y;
  mean.assign(layers.size(), {});
  divisor = sigma = mean;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    for (const Vector& w : layers[l]) {
      Vector z(rows());
      for (std::size_t i = 0; i < rows(); ++i) {
        for (std::size_t k = 0; k < w.size(); ++k) z[i] += w[k] * (l == 0 ? inputs[i][k] : x[l - 1][k][i]);
      }
      double mu = 0;
      for (const double v : z) mu += v / n;
      double variance = 0;
      for (const double v : z) variance += (v - mu) * (v - mu) / n;
      sigma[l].push_back(std::sqrt(variance));
      mean[l].push_back(capped(l) ? mu : 0);
      divisor[l].push_back(capped(l) ? std::max(1.0, sigma[l].back()) : 1);
      for (double& v : z) v = (v - mean[l].back()) / divisor[l].back();
      y[l].push_back(z);
      for (double& v : z) v = activate(activation, v);
      x[l].push_back(z);
    }
  }
}

Rows Reference::loss_gradient() const {
  const auto n = static_cast<double>(rows());
  const Rows& scores = y.back();
  Rows gradient(scores.size(), Vector(rows()));
  for (std::size_t i = 0; i < rows(); ++i) {
    if (labels.empty()) {
      gradient[0][i] = 2 * (scores[0][i] - targets[i]) / n;
      continue;
    }
    double total = 0;
    for (std::size_t k = 0; k < scores.size(); ++k) total += std::exp(scores[k][i] + offset[k]);
    for (std::size_t k = 0; k < scores.size(); ++k) {
      gradient[k][i] =
          (std::exp(scores[k][i] + offset[k]) / total - (labels[i] == static_cast<int>(k) ? 1 : 0)) / n;
    }
  }
  return gradient;
}

std::vector<Rows> Reference::backward() const {
  const auto n = static_cast<double>(rows());
  std::vector<Rows> gradients(layers.size());
  Rows gy = loss_gradient();
  for (std::size_t l = layers.size(); l-- > 0;) {
    Rows below(l == 0 ? 0 : layers[l - 1].size(), Vector(rows()));
    for (std::size_t j = 0; j < layers[l].size(); ++j) {
      Vector gz = gy[j];
      if (capped(l)) {
        double average_g = 0;
        double average_gy = 0;
        for (std::size_t i = 0; i < rows(); ++i) {
          average_g += gz[i] / n;
          average_gy += gz[i] * y[l][j][i] / n;
        }
        const bool normed = sigma[l][j] > 1;
        for (std::size_t i = 0; i < rows(); ++i) {
          gz[i] = normed ? (gz[i] - average_g - y[l][j][i] * average_gy) / sigma[l][j] : gz[i] - average_g;
        }
      }
      Vector gradient(layers[l][j].size());
      for (std::size_t i = 0; i < rows(); ++i) {
        for (std::size_t k = 0; k < gradient.size(); ++k)
          gradient[k] += gz[i] * (l == 0 ? inputs[i][k] : x[l - 1][k][i]);
        for (std::size_t k = 0; k < below.size(); ++k) below[k][i] += gz[i] * layers[l][j][k];
      }
      gradients[l].push_back(gradient);
    }
    for (std::size_t k = 0; k < below.size(); ++k) {
      for (std::size_t i = 0; i < rows(); ++i) below[k][i] *= slope(activation, y[l - 1][k][i]);
    }
    gy = below;
  }
  return gradients;
}

void Reference::step() {
  constexpr double beta = 0.005;
  forward();
  const std::vector<Rows> gradients = backward();
  if (average.empty()) {
    for (const Rows& layer : layers) average.emplace_back(layer.size());
    capacity = average;
  }
  const double radial = 1 / (lifetime * lambda);
  for (std::size_t l = layers.size(); l-- > 0;) {
    Rows phis;
    for (std::size_t j = 0; j < layers[l].size(); ++j) {
      const Vector& w = layers[l][j];
      const double c = dot(gradients[l][j], w) / dot(w, w);
      Vector phi = gradients[l][j];
      for (std::size_t k = 0; k < phi.size(); ++k) phi[k] -= c * w[k];
      average[l][j] = (1 - beta) * average[l][j] + beta * dot(phi, phi);
      capacity[l][j] = (1 - beta) * capacity[l][j] + beta;
      largest_average = std::max(largest_average, average[l][j]);
      largest_capacity = std::max(largest_capacity, capacity[l][j]);
      phis.push_back(phi);
    }
    for (std::size_t j = 0; j < layers[l].size(); ++j) {
      Vector& w = layers[l][j];
      const Vector& phi = phis[j];
      const double size = std::sqrt(dot(phi, phi));
      const double own = std::sqrt(average[l][j] / capacity[l][j]) + 1e-8;
      const double theta = angular * std::sqrt(largest_average / largest_capacity) / own * size;
      const double c = dot(gradients[l][j], w) / dot(w, w);
      for (double& v : w) v *= 1 - radial * c;
      const double length = std::sqrt(dot(w, w));
      if (size > 0) {
        for (std::size_t k = 0; k < w.size(); ++k) {
          w[k] = std::cos(theta) * w[k] - std::sin(theta) * length * phi[k] / size;
        }
      }
      const double shrink = 1 - radial * lambda / length;
      ASSERT_GT(shrink, 0) << "a unit vanished: choose data where none does";
      for (double& v : w) v *= shrink;
    }
  }
}

}  // namespace coppice::test
