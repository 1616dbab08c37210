#include "coppice/network/row_team.h"

#include <cmath>
#include <utility>

namespace coppice {

namespace {

constexpr const char* name = "a message about rows";

ByteWriter question(ShareQuestion what) {
  ByteWriter to;
  to.put(what);
  return to;
}

void put_rows(ByteWriter& to, std::span<const std::uint32_t> rows) {
  to.put<std::uint64_t>(rows.size());
  to.put_all(rows);
}

/// Answers that are read side by side.
std::vector<ByteReader> readers(const std::vector<std::string>& answers) {
  std::vector<ByteReader> all;
  for (const std::string& answer : answers) all.emplace_back(answer, name);
  return all;
}

/// Calls use(reader) for every share, in their order.
template <class Use>
void for_each_share(std::vector<ByteReader>& answers, const Use& use) {
  for (ByteReader& answer : answers) {
    for (std::size_t s = 0; s < row_shares / answers.size(); ++s) use(answer);
  }
}

/// Means over all rows of a layer's gradients.
std::vector<PartGradient> mean_gradients(std::vector<ByteReader>& answers, std::size_t units, double weight) {
  std::vector<PartGradient> means(units);
  for_each_share(answers, [&](ByteReader& from) {
    for (PartGradient& mean : means) {
      mean.sum += from.get<double>();
      mean.along += from.get<double>();
    }
  });
  for (PartGradient& mean : means) {
    mean.sum /= weight;
    mean.along /= weight;
  }
  return means;
}

}  // namespace

/// What normalises a layer, from the moments of its shares.
RowTeam::Totals RowTeam::forward(const Compute& compute, const Network<float>& network, std::size_t layer,
                                 std::span<const std::uint32_t> rows, const Totals& below) {
  ByteWriter to = question(ShareQuestion::forward);
  to.put<std::uint64_t>(layer);
  if (layer == 0) {
    put_weights(to, network);
    put_rows(to, rows);
  } else {
    to.put(below.mean);
    to.put(below.divisor);
  }
  const std::vector<std::string> told = ask(compute, to.bytes());
  const std::size_t units = network.layers[layer].weights.rows();
  Totals totals{.mean = std::vector<float>(units), .divisor = std::vector<float>(units, 1.0F)};
  if (!network.capped(layer)) return totals;
  std::vector<ByteReader> answers = readers(told);
  std::vector<PartMoments> all(units);
  for_each_share(answers, [&](ByteReader& from) {
    for (PartMoments& unit : all) {
      PartMoments part;
      for (double* number : {&part.weight, &part.mean, &part.squares}) *number = from.get<double>();
      unit = unit.with(part);
    }
  });
  for (std::size_t j = 0; j < units; ++j) {
    const double variance = all[j].weight > 0 ? all[j].squares / all[j].weight : 0;
    totals.mean[j] = static_cast<float>(all[j].mean);
    totals.divisor[j] = variance > 1 ? static_cast<float>(std::sqrt(variance)) : 1.0F;
    if (!std::isfinite(variance)) totals.divisor[j] = static_cast<float>(variance);  // it diverged
    totals.weight = all[j].weight;
  }
  return totals;
}

LossSum RowTeam::gradient(const Compute& compute, const Network<float>& network,
                          std::span<const std::uint32_t> rows, float scale, float label_smoothing,
                          Workspace<float>& workspace) {
  const std::lock_guard lock(mutex_);
  const std::size_t layers = network.layers.size();
  std::vector<Totals> totals;
  for (std::size_t l = 0; l < layers; ++l)
    totals.push_back(forward(compute, network, l, rows, l > 0 ? totals.back() : Totals{}));
  ByteWriter of_loss = question(ShareQuestion::loss);
  of_loss.put(totals.back().mean);
  of_loss.put(totals.back().divisor);
  of_loss.put(scale);
  of_loss.put(label_smoothing);
  std::vector<std::string> told = ask(compute, of_loss.bytes());
  std::vector<ByteReader> answers = readers(told);
  LossSum sum;
  for_each_share(answers, [&](ByteReader& from) {
    sum.loss += from.get<double>();
    sum.wrong += from.get<double>();
  });
  workspace.layers.resize(layers);
  for (std::size_t l = layers; l-- > 0;) {
    ByteWriter to = question(ShareQuestion::backward);
    to.put<std::uint64_t>(l);
    if (network.capped(l)) {
      const std::size_t units = network.layers[l].weights.rows();
      for (const PartGradient& mean : mean_gradients(answers, units, totals[l].weight)) {
        to.put(mean.sum);
        to.put(mean.along);
      }
    }
    std::vector<std::string> next = ask(compute, to.bytes());
    answers = readers(next);
    std::vector<Matrix<float>> gradients;
    for (ByteReader& answer : answers) gradients.push_back(answer.get_matrix<float>());
    workspace.layers[l].weight_gradient = tree_sum(*compute.pool, gradients);
    told = std::move(next);  // what the answers are read from: its texts stay where they are
  }
  return sum;
}

Statistics<float> RowTeam::statistics(const Compute& compute, const Network<float>& network,
                                      std::span<const std::uint32_t> rows) {
  const std::lock_guard lock(mutex_);
  Statistics<float> statistics;
  Totals totals;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    totals = forward(compute, network, l, rows, totals);
    statistics.mean.push_back(totals.mean);
    statistics.divisor.push_back(totals.divisor);
  }
  return statistics;
}

LossSum RowTeam::evaluate(const Compute& compute, const Network<float>& network,
                          const Statistics<float>& statistics, std::span<const std::uint32_t> rows,
                          Matrix<float>* scores) {
  const std::lock_guard lock(mutex_);
  ByteWriter to = question(ShareQuestion::evaluate);
  put_weights(to, network);
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    to.put(statistics.mean[l]);
    to.put(statistics.divisor[l]);
  }
  to.put(scores != nullptr);
  put_rows(to, rows);
  const std::vector<std::string> told = ask(compute, to.bytes());
  std::vector<ByteReader> answers = readers(told);
  LossSum sum;
  std::vector<Matrix<float>> of_shares;
  for_each_share(answers, [&](ByteReader& from) {
    sum.loss += from.get<double>();
    sum.wrong += from.get<double>();
    if (scores != nullptr) of_shares.push_back(from.get_matrix<float>());
  });
  if (scores == nullptr) return sum;
  scores->reshape(rows.size(), network.outputs());
  std::vector<std::size_t> next(row_shares);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t share = share_of_row(rows[i]);
    for (std::size_t k = 0; k < network.outputs(); ++k) (*scores)(i, k) = of_shares[share](next[share], k);
    ++next[share];
  }
  return sum;
}

}  // namespace coppice
