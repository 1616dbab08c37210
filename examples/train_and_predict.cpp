// Trains on columns that lie in memory and predicts new rows; no file anywhere.
#include <coppice/coppice.h>
#include <iostream>
#include <random>
#include <string>
#include <vector>

int main() {
  // Inside the unit circle or not.
  std::mt19937 random(1);
  std::uniform_real_distribution<float> coordinate(-1.5F, 1.5F);
  std::vector<float> x(2000), y(2000);
  std::vector<std::string> where;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = coordinate(random);
    y[i] = coordinate(random);
    where.push_back(x[i] * x[i] + y[i] * y[i] < 1 ? "inside" : "outside");
  }
  coppice::Table table;
  table.add_numbers("x", x);
  table.add_numbers("y", y);
  table.add_texts("where", where);

  coppice::Options options;
  options.target = "where";
  options.effort = coppice::Effort::quick;
  const coppice::Result result = coppice::train(table, options);

  coppice::Table points;
  points.add_numbers("x", std::vector<float>{0, 1.4F});
  points.add_numbers("y", std::vector<float>{0.1F, 1.2F});
  const coppice::Prediction prediction = result.model().predict(points);
  for (std::size_t row = 0; row < prediction.rows; ++row) std::cout << prediction.class_of(row) << '\n';
  return prediction.class_of(0) == "inside" && prediction.class_of(1) == "outside" ? 0 : 1;
}
