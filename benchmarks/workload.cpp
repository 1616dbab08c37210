#include "benchmarks/workload.h"

#include "coppice/core/random.h"
#include "coppice/core/text.h"

#include <numeric>

#include <fmt/format.h>

namespace coppice {

std::string Workload::name() const {
  std::vector<std::string> texts;
  for (const std::size_t width : widths) texts.push_back(fmt::to_string(width));
  return joined(texts, "-");
}

double Workload::multiplications() const {
  double per_row = 0;
  for (std::size_t l = 0; l < layers(); ++l) {
    const double weights = static_cast<double>(widths[l]) * static_cast<double>(widths[l + 1]);
    per_row += (l == 0 ? 2 : 3) * weights;  // forward, dE/dW, and dE/dx but for the first layer
  }
  return per_row * static_cast<double>(rows);
}

Workload mnist_net() {
  return {.widths = {784, 200, 40, 10}};
}

Workload poker_net() {
  return {.widths = {10, 100, 150, 150, 60, 2}};
}

Dataset noise(const Workload& work) {
  Dataset data;
  data.inputs = Matrix<float>::packed(work.rows + work.validation_rows, work.inputs());
  Random random(1, Purpose::generator);
  for (std::size_t i = 0; i < data.inputs.rows(); ++i) {
    for (float& value : data.inputs.row(i)) value = static_cast<float>(random.uniform() - 0.5);
    data.labels.push_back(static_cast<std::uint32_t>(random.below(work.classes())));
  }
  return data;
}

NetData net_data(const Workload& work, const Dataset& data) {
  NetData net{.train = &data,
              .train_rows = std::vector<std::uint32_t>(work.rows),
              .validation = &data,
              .validation_rows = std::vector<std::uint32_t>(work.validation_rows),
              .classes = work.classes()};
  std::iota(net.train_rows.begin(), net.train_rows.end(), 0U);
  std::iota(net.validation_rows.begin(), net.validation_rows.end(), static_cast<std::uint32_t>(work.rows));
  return net;
}

TrainingOptions training_options(const Workload& work) {
  TrainingOptions options;
  options.hidden_layers = work.hidden().size();
  options.batch_size = work.batch;
  return options;
}

NetRun start_run(const Trainer& trainer, const Workload& work, const NetData& data, std::size_t id) {
  NetRun run = trainer.start(id, 1e-4, id, data);
  run.current.network =
      make_network<float>({.inputs = work.inputs(), .outputs = work.classes(), .hidden = work.hidden()}, id);
  run.current.optimizer = zero_state(run.current.network);
  return run;
}

}  // namespace coppice
