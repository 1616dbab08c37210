// Stops when the clock says so: any function that returns true will do.
#include <chrono>
#include <cmath>
#include <coppice/coppice.h>
#include <iostream>
#include <vector>

int main() {
  std::vector<double> angle(5000), wave(5000);
  for (std::size_t i = 0; i < angle.size(); ++i) {
    angle[i] = static_cast<double>(i) / 500;
    wave[i] = std::sin(angle[i]);
  }
  coppice::Table table;
  table.add_numbers("angle", angle);
  table.add_numbers("wave", wave);
  coppice::Options options;
  options.target = "wave";

  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::seconds(2);
  const coppice::Result result =
      coppice::train(table, options, nullptr, [end] { return Clock::now() > end; });
  std::cout << (result.stopped ? "stopped" : "done") << " with " << result.model().parameters()
            << " parameters, "
            << "error " << result.nets[result.best].validation_error << " of the target's variance\n";
}
