#include "coppice/core/file.h"
#include "coppice/data/reader.h"
#include "coppice/model/parts.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace coppice {
namespace {

/// Model files that coppice 0.1.0 wrote, one of each format version, and what it predicted with them. They are never
/// written anew: a version of the program that answers otherwise breaks what its users have kept.
std::string kept(const std::string& name) {
  return std::string(COPPICE_KEPT_MODELS) + "/" + name;
}

Table kept_table(const std::string& name, const ReadHints& hints = {}) {
  InputFile file(kept(name));
  return read_bytes({.stream = file, .name = name, .hints = hints});
}

class KeptModel : public ::testing::TestWithParam<int> {};

TEST_P(KeptModel, PredictsWhatItDid) {
  const std::string name = "version" + std::to_string(GetParam());
  EXPECT_EQ(read_file(kept(name + ".coppice"))[8], GetParam());
  const Model model = Model::load(kept(name + ".coppice"));
  const Prediction prediction =
      model.predict(kept_table("rows.csv", hints_for(model.parts().encoding, false)));
  const Table expected = kept_table(name + ".predictions.csv");
  ASSERT_EQ(prediction.rows, expected.rows());
  ASSERT_GT(prediction.rows, 0U);
  for (std::size_t row = 0; row < prediction.rows; ++row) {
    if (model.task() == Task::regression) {
      const double value = std::stod(expected.text("prediction", row));
      EXPECT_NEAR(prediction.values[row], value, 2e-6 * std::fabs(value)) << row;
      continue;
    }
    EXPECT_EQ(prediction.class_of(row), expected.text("prediction", row)) << row;
    for (std::size_t k = 0; k < model.classes().size(); ++k) {
      EXPECT_NEAR(prediction.probabilities_of(row)[k],
                  std::stod(expected.text("probability_" + model.classes()[k], row)), 2e-6)
          << row;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OfEveryVersion, KeptModel, ::testing::Values(1, 2, 4, 7, 8));

}  // namespace
}  // namespace coppice
