// Coppice in the comparison with its peers; contestant.py says how compare.py speaks with the contestants.
#include "coppice/core/error.h"
#include "coppice/core/file.h"
#include "coppice/device/product.h"
#include "coppice/run/run.h"
#include "coppice/training/trainer.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

namespace coppice {
namespace {

constexpr std::size_t inputs = 784;
constexpr std::size_t classes = 10;
const std::vector<std::size_t> hidden{200, 40};

Dataset load(const std::string& folder) {
  const std::string rows = read_file(folder + "/rows.f32");
  const std::string labels = read_file(folder + "/labels.u32");
  Dataset data;
  data.labels.resize(labels.size() / sizeof(std::uint32_t));
  data.inputs = Matrix<float>::packed(data.labels.size(), inputs);
  constexpr std::size_t row_bytes = inputs * sizeof(float);
  if (labels.empty() || rows.size() != data.rows() * row_bytes) {
    fail(
        "{0}/rows.f32 is not {1} rows of {2} floats, one per label of {0}/labels.u32; let compare.py write "
        "them",
        folder, data.rows(), inputs);
  }
  std::memcpy(data.labels.data(), labels.data(), labels.size());
  for (std::size_t i = 0; i < data.rows(); ++i) {
    std::memcpy(data.inputs.row(i).data(), rows.data() + i * row_bytes, row_bytes);
  }
  return data;
}

/// All rows to learn from, and one to validate.
NetData net_data(const Dataset& rows) {
  NetData data{.train = &rows,
               .train_rows = std::vector<std::uint32_t>(rows.rows()),
               .validation = &rows,
               .validation_rows = {0},
               .classes = classes};
  std::iota(data.train_rows.begin(), data.train_rows.end(), 0U);
  return data;
}

NetRun start_run(const Trainer& trainer, const NetData& data) {
  NetRun run = trainer.start(0, 1e-4, 1, data);
  run.current.network = make_network<float>(
      {.inputs = inputs, .outputs = classes, .hidden = hidden, .activation = Activation::relu}, 1);
  for (std::size_t l = 0; l < run.current.network.layers.size(); ++l) {
    const std::size_t units = run.current.network.layers[l].weights.rows();
    run.current.optimizer.layers[l] = {std::vector<double>(units), std::vector<double>(units)};
  }
  return run;
}

void serve(const std::string& folder) {
  const Dataset rows = load(folder);
  const NetData data = net_data(rows);
  ThreadPool pool(std::max(1U, std::thread::hardware_concurrency()));
  TrainingOptions options;
  options.add_units = 0;
  const Trainer trainer(pool, options);
  const NetRun start = start_run(trainer, data);
  Workspace<float> workspace;
  // Every epoch starts from the same net: one that shrinks from turn to turn would have less to do than its peers.
  const auto epoch = [&] {
    NetRun run = start;
    const auto before = std::chrono::steady_clock::now();
    trainer.train_epoch(run, data, workspace, {});
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - before;
    if (run.current.network.hidden_units() != hidden)
      fail("units died while an epoch was timed; lower lambda");
    return seconds.count();
  };
  epoch();
  fmt::print("ready coppice {} AdaRad, {}, {} threads\n", version(), product_library(), pool.threads());
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    fmt::print("{:.6f}\n", epoch());
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace coppice

int main(int argc, char** argv) {
  try {
    if (argc != 2)
      coppice::fail("usage: versus_coppice FOLDER, where the folder holds rows.f32 and labels.u32");
    coppice::serve(argv[1]);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "versus_coppice: {}\n", error.what());
    return 1;
  }
}
