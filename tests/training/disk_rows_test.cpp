// Rows that lie on a disk train the nets that rows in memory do.
#include "coppice/training/trainer.h"

#include "tests/data/on_disk.h"
#include "tests/training/problems.h"

#include <gtest/gtest.h>

namespace coppice {
namespace {

Dataset in_file(const Dataset& held) {
  RowFormat format;
  format.add_floats(held.input_count());
  const auto packed = std::make_shared<PackedRows>(format, held.rows(), std::make_shared<ScratchFile>());
  for (std::size_t row = 0; row < held.rows(); ++row) packed->write(row, std::as_bytes(held.inputs.row(row)));
  Dataset filed;
  filed.packed = packed;
  filed.labels = held.labels;
  return filed;
}

TEST(Trainer, RowsOfADiskTrainTheSameNets) {
  constexpr std::size_t rows = 20'000;
  const Dataset held = random_dataset(rows, 30, 3, 1);
  const Dataset filed = in_file(held);
  if (!test::drop_scratch_files()) GTEST_SKIP() << "the scratch file is in memory anyway";
  for (const std::size_t threads : {1U, 2U}) {
    ThreadPool pool(threads);
    TrainingOptions options;
    options.batch_size = 700;
    const Trainer trainer(pool, options);
    std::vector<NetRun> nets;
    for (const Dataset* data : {&held, &filed}) {
      NetData net{.train = data,
                  .train_rows = all_rows(*data),
                  .validation = data,
                  .validation_rows = {},
                  .classes = 3};
      net.validation_rows.assign(net.train_rows.end() - 5'000, net.train_rows.end());
      net.train_rows.resize(rows - 5'000);
      NetRun run = trainer.start(0, 1e-4, 1, net);
      for (std::size_t epoch = 0; epoch < 3; ++epoch) {
        test::drop_scratch_files();
        train_epoch(trainer, run, net);
      }
      nets.push_back(std::move(run));
    }
    EXPECT_EQ(nets[0].current.validation_error, nets[1].current.validation_error);
    ASSERT_EQ(nets[0].current.network.layers.size(), nets[1].current.network.layers.size());
    for (std::size_t l = 0; l < nets[0].current.network.layers.size(); ++l)
      EXPECT_EQ(nets[0].current.network.layers[l].weights, nets[1].current.network.layers[l].weights);
  }
}

}  // namespace
}  // namespace coppice
