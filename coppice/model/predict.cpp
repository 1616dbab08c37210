#include "coppice/model/predict.h"

#include "coppice/core/elementary.h"
#include "coppice/core/fail.h"
#include "coppice/device/gpu.h"
#include "coppice/device/signals.h"
#include "coppice/model/interval.h"
#include "coppice/model/parts.h"
#include "coppice/model/threshold.h"
#include "coppice/network/evaluate.h"
#include "coppice/network/gpu_scores.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <thread>
#include <utility>

namespace coppice {

namespace {

/// Products of a network that take about as long as starting threads does.
constexpr double products_of_threads = 5e6;

void refuse_if(const std::function<bool()>& stop) {
  if (stop && stop()) fail_as(ErrorKind::interrupted, "predicting was stopped before its end");
}

/// Threads worth starting for so many rows: none but the caller's where they would cost more than they save.
std::size_t threads_for(std::span<const FoldedNet> nets, std::size_t rows, std::size_t most) {
  double products = 0;
  for (const FoldedNet& net : nets)
    products += static_cast<double>(net.network.parameters()) * static_cast<double>(rows);
  if (products < products_of_threads) return 1;
  return most > 0 ? most : std::max(1U, std::thread::hardware_concurrency());
}

void add(Matrix<float>& scores, const Matrix<float>& others) {
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    for (std::size_t k = 0; k < scores.cols(); ++k) scores(i, k) += others(i, k);
  }
}

void divide(Matrix<float>& scores, std::size_t nets) {
  if (nets == 1) return;
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    for (float& score : scores.row(i)) score /= static_cast<float>(nets);
  }
}

/// Looks for a GPU unless the options rule that out.
Device device_for(const std::optional<Device>& wanted, std::vector<std::string>& notes) {
  if (computes_portably() && wanted == Device::cuda)
    fail_option("portable-math", "`portable-math` on: a GPU rounds in its own way; use `device` cpu");
  if (computes_portably()) return Device::cpu;
  if (wanted == Device::cpu) return Device::cpu;
  const GpuStatus gpu = gpu_status();
  if (gpu.usable) {
    notes.push_back("on " + gpu.text);
    return Device::cuda;
  }
  if (wanted) fail_option("device", "`device` cuda: {}; use `device` cpu", gpu.text);
  return Device::cpu;
}

}  // namespace

Matrix<float> predict_scores(ThreadPool& pool, const FoldedNet& net, const Dataset& data,
                             std::span<const std::uint32_t> rows, Device device,
                             const std::function<bool()>& stop) {
  refuse_if(stop);
  const std::vector<float>& offset = net.network.offset;
  Matrix<float> scores;
  if (device == Device::cuda) {
    scores = gpu_scores(net.network, net.statistics, data, rows);
  } else {
    scores = Matrix<float>(rows.size(), net.network.outputs());
    Workspace<float> workspace;
    std::size_t at = 0;
    for_scores<float>(pool, net.network, net.statistics, data, rows, workspace,
                      [&](View<const float> chunk, std::span<const std::uint32_t> chunk_rows) {
                        for (std::size_t i = 0; i < chunk_rows.size(); ++i, ++at) {
                          for (std::size_t k = 0; k < chunk.rows; ++k) scores(at, k) = chunk(k, i);
                        }
                        refuse_if(stop);
                      });
  }
  for (std::size_t i = 0; i < scores.rows() && !offset.empty(); ++i) {
    for (std::size_t k = 0; k < scores.cols(); ++k) scores(i, k) += offset[k];
  }
  return scores;
}

Matrix<float> predict_scores(ThreadPool& pool, std::span<const FoldedNet> nets, const Dataset& data,
                             std::span<const std::uint32_t> rows, Device device,
                             const std::function<bool()>& stop) {
  Matrix<float> scores = predict_scores(pool, nets.front(), data, rows, device, stop);
  for (const FoldedNet& net : nets.subspan(1))
    add(scores, predict_scores(pool, net, data, rows, device, stop));
  divide(scores, nets.size());
  return scores;
}

Matrix<float> predict_scores(ThreadPool& pool, std::span<const FoldedNet> nets, const Dataset& data,
                             Device device, const std::function<bool()>& stop) {
  std::vector<std::uint32_t> rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  return predict_scores(pool, nets, data, rows, device, stop);
}

Matrix<float> predict_scores_by(ThreadPool& pool, std::span<const FoldedNet> nets, const Dataset& data,
                                std::span<const std::uint32_t> rows, std::span<const std::uint32_t> net_of) {
  if (net_of.empty()) return predict_scores(pool, nets, data, rows);
  Matrix<float> scores(rows.size(), nets.front().network.outputs());
  for (std::size_t n = 0; n < nets.size(); ++n) {
    std::vector<std::size_t> places;
    std::vector<std::uint32_t> own;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (net_of[rows[i]] != n) continue;
      places.push_back(i);
      own.push_back(rows[i]);
    }
    const Matrix<float> answers = predict_scores(pool, nets[n], data, own);
    for (std::size_t i = 0; i < places.size(); ++i)
      std::ranges::copy(answers.row(i), scores.row(places[i]).begin());
  }
  return scores;
}

Matrix<float> predict_scores(std::span<const FoldedNet> nets, const Dataset& data,
                             const PredictOptions& options, std::vector<std::string>& notes,
                             std::vector<std::string>& warnings) {
  const SignalPause pause;
  ThreadPool pool(threads_for(nets, data.rows(), options.threads));
  const Device device = device_for(options.device, notes);
  try {
    return predict_scores(pool, nets, data, device, options.stop);
  } catch (const GpuOutOfMemory& error) {
    if (options.device) throw;
    warnings.push_back(fmt::format("{}; the CPU takes over", error.what()));
  }
  return predict_scores(pool, nets, data, Device::cpu, options.stop);
}

NetScores predict_nets(std::span<const FoldedNet> nets, const Dataset& data, const PredictOptions& options,
                       std::vector<std::string>& notes, std::vector<std::string>& warnings) {
  NetScores all;
  if (!options.interval || nets.size() == 1) {
    all.averaged = predict_scores(nets, data, options, notes, warnings);
    if (options.interval) all.one_by_one.push_back(all.averaged);
    return all;
  }
  for (std::size_t n = 0; n < nets.size(); ++n) {
    std::vector<std::string> again;  // is said once
    all.one_by_one.push_back(
        predict_scores(nets.subspan(n, 1), data, options, n == 0 ? notes : again, n == 0 ? warnings : again));
  }
  all.averaged = all.one_by_one.front();
  for (const Matrix<float>& others : std::span(all.one_by_one).subspan(1)) add(all.averaged, others);
  divide(all.averaged, nets.size());
  return all;
}

Prediction Model::predict(const Table& table, const PredictOptions& options) const {
  const WithArithmetic as_asked(options.portable_math ? Arithmetic::portable : Arithmetic::native);
  const Encoding& encoding = parts().encoding;
  Prediction prediction;
  const std::optional<Threshold> threshold = threshold_of(classes(), options);
  const std::optional<std::size_t> rank = interval_rank(parts(), options);
  const Dataset data = encode(table, encoding, false, prediction.warnings,
                              threads_for(folded(), table.rows(), options.threads));
  const NetScores nets = predict_nets(folded(), data, options, prediction.notes, prediction.warnings);
  const Matrix<float>& scores = nets.averaged;
  IdColumns ids = id_columns(table, encoding);
  prediction.id_names = std::move(ids.names);
  prediction.ids = std::move(ids.texts);
  prediction.rows = scores.rows();
  if (rank) {
    Intervals intervals = intervals_of(parts(), nets, *rank);
    prediction.lower = std::move(intervals.lower);
    prediction.upper = std::move(intervals.upper);
    prediction.sets = std::move(intervals.sets);
  }
  if (task() == Task::regression) {
    prediction.values.reserve(scores.rows());
    for (std::size_t i = 0; i < scores.rows(); ++i) {
      prediction.values.push_back(encoding.target.value(scores(i, 0)));
    }
    return prediction;
  }
  prediction.class_names = classes();
  prediction.classes = answered(scores, temperature(), threshold);
  prediction.probabilities.resize(scores.rows() * scores.cols());
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    probabilities(scores.row(i), temperature(),
                  std::span(prediction.probabilities).subspan(i * scores.cols(), scores.cols()));
  }
  return prediction;
}

std::vector<std::uint32_t> Prediction::set_of(std::size_t row) const {
  const std::span<const double> p = probabilities_of(row);
  std::vector<std::uint32_t> set;
  for (std::uint32_t k = 0; k < p.size(); ++k) {
    if (sets[row * p.size() + k] != 0) set.push_back(k);
  }
  std::ranges::stable_sort(set, std::greater<>(), [&](std::uint32_t k) { return p[k]; });
  return set;
}

std::size_t best_class(std::span<const float> scores) {
  return static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin());
}

void probabilities(std::span<const float> scores, double temperature, std::span<double> into) {
  const double top = *std::ranges::max_element(scores);
  for (std::size_t k = 0; k < scores.size(); ++k) into[k] = elementary::exp((scores[k] - top) / temperature);
  const double total = std::accumulate(into.begin(), into.end(), 0.0);
  for (double& p : into) p /= total;
}

std::vector<double> probabilities(std::span<const float> scores, double temperature) {
  std::vector<double> result(scores.size());
  probabilities(scores, temperature, result);
  return result;
}

}  // namespace coppice
