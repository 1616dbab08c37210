// Hears of every epoch and ends the training when it has seen enough, as a button in a window would.
#include <coppice/coppice.h>
#include <cstdio>
#include <vector>

namespace {

struct Progress : coppice::Observer {
  int epochs = 0;
  bool cancelled = false;

  void on_epoch(const coppice::EpochReport& epoch) override {
    ++epochs;
    std::printf("net %zu, epoch %zu, %s: %zu units in the first layer, error %.4f\n", epoch.net, epoch.epoch,
                coppice::name_of(epoch.phase).c_str(), epoch.hidden_units.front(), epoch.validation_error);
    if (epochs == 20) cancelled = true;
  }
};

}  // namespace

int main() {
  std::vector<float> x(500), y(500);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i) / 100;
    y[i] = x[i] * x[i];
  }
  coppice::Table table;
  table.add_numbers("x", x);
  table.add_numbers("y", y);
  coppice::Options options;
  options.target = "y";
  options.task = coppice::Task::regression;

  // Both are asked and told on this thread, so nothing here needs a lock.
  Progress progress;
  const coppice::Result result =
      coppice::train(table, options, &progress, [&progress] { return progress.cancelled; });
  std::printf("stopped after %d epochs; the best net so far has %zu parameters\n", progress.epochs,
              result.model().parameters());
  return result.stopped ? 0 : 1;
}
