// Coppice in the comparison with its peers; contestant.py says how compare.py speaks with the contestants.
#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/core/names.h"
#include "coppice/device/product.h"
#include "coppice/version.h"

#include "benchmarks/turns.h"
#include "benchmarks/workload.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <string>
#include <thread>

#include <fmt/format.h>

namespace coppice {
namespace {

Dataset load(const std::string& folder) {
  const std::size_t inputs = mnist_net().inputs();
  const std::string rows = read_file(folder + "/rows.f32");
  const std::string labels = read_file(folder + "/labels.u32");
  Dataset data;
  data.labels.resize(labels.size() / sizeof(std::uint32_t));
  data.inputs = Matrix<float>::packed(data.labels.size(), inputs);
  const std::size_t row_bytes = inputs * sizeof(float);
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

void serve(Precision precision, const std::string& folder) {
  const Dataset rows = load(folder);
  Workload work = mnist_net();
  work.rows = rows.rows();
  work.validation_rows = 0;
  const NetData data = net_data(work, rows);
  ThreadPool pool(std::max(1U, std::thread::hardware_concurrency()));
  TrainingOptions options = training_options(work);
  options.add_units = 0;
  options.precision = precision;
  const Trainer trainer(pool, options);
  const NetRun start = start_run(trainer, work, data);
  Workspace<float> workspace;
  // Every epoch starts from the same net: one that shrinks from turn to turn would have less to do than its
  // peers.
  const auto epoch = [&] {
    NetRun run = start;
    EpochReport report;
    const double time = seconds([&] { trainer.train_steps(run, data, workspace, {}, report); });
    if (!report.died.empty()) fail("units died while an epoch was timed; lower lambda");
    return time;
  };
  epoch();
  fmt::print("ready coppice-{} {} AdaRad, {}, {} threads\n", name_of(precision), version(),
             precision == Precision::bf16 ? "products of our own" : product_library(), pool.threads());
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
    const auto precision = argc == 3 ? coppice::from_name<coppice::Precision>(argv[1]) : std::nullopt;
    if (!precision) {
      coppice::fail("usage: versus_coppice fp32|bf16 FOLDER, where the folder holds rows.f32 and labels.u32");
    }
    coppice::serve(*precision, argv[2]);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "versus_coppice: {}\n", error.what());
    return 1;
  }
}
