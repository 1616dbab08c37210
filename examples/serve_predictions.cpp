// One model that many threads of a server ask at once: it never changes, so no lock is needed.
#include <atomic>
#include <coppice/coppice.h>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

namespace {

coppice::Model trained() {
  std::vector<float> x(1000), y(1000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i) / 1000;
    y[i] = 3 * x[i] - 1;
  }
  coppice::Table table;
  table.add_numbers("x", x);
  table.add_numbers("y", y);
  coppice::Options options;
  options.target = "y";
  options.task = coppice::Task::regression;
  options.effort = coppice::Effort::quick;
  return coppice::train(table, options).model();
}

}  // namespace

int main() {
  // As a server would get it: from a file or a database.
  const std::string bytes = trained().bytes();
  const coppice::Model model = coppice::Model::from_bytes(bytes);

  coppice::Table request;
  request.add_numbers("x", std::vector<float>{0.25F, 0.5F});
  const std::vector<double> expected = model.predict(request).values;

  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int request_number = 0; request_number < 100; ++request_number) {
        if (model.predict(request).values != expected) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::cout << "400 requests, " << wrong << " answered differently\n";
  return wrong == 0 ? 0 : 1;
}
