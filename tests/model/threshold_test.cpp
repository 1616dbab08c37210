#include "coppice/model/threshold.h"

#include "coppice/model/predict.h"

#include "tests/model/models.h"
#include "tests/support.h"

#include <cmath>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<std::string> no_yes{"no", "yes"};

TEST(Threshold, IsForTheSecondClassOrTheNamedOne) {
  EXPECT_FALSE(threshold_of(no_yes, {}));
  const auto second = threshold_of(no_yes, {.threshold = 0.2});
  ASSERT_TRUE(second);
  EXPECT_EQ(second->positive, 1U);
  EXPECT_EQ(second->least, 0.2);
  EXPECT_EQ(threshold_of(no_yes, {.threshold = 0.2, .positive = "no"})->positive, 0U);
  EXPECT_EQ(threshold_of({"0", "1"}, {.threshold = 0.2, .positive = "0.0"})->positive, 0U);
}

TEST(Threshold, WithoutTwoClassesIsRefused) {
  const auto refusal = [](const std::vector<std::string>& classes, const PredictOptions& options) {
    return message_of([&] { threshold_of(classes, options); });
  };
  EXPECT_THAT(refusal({}, {.threshold = 0.2}), AllOf(HasSubstr("`threshold`"), HasSubstr("numbers")));
  EXPECT_THAT(refusal({"a", "b", "c"}, {.threshold = 0.2}), HasSubstr("3 classes"));
  EXPECT_THAT(refusal(no_yes, {.threshold = 1.5}), HasSubstr("between 0 and 1"));
  EXPECT_THAT(refusal(no_yes, {.threshold = std::nan("")}), HasSubstr("between 0 and 1"));
  EXPECT_THAT(refusal(no_yes, {.threshold = 0.5, .positive = "yess"}),
              AllOf(HasSubstr("`positive`"), HasSubstr("did you mean \"yes\"?")));
  EXPECT_THAT(refusal(no_yes, {.positive = "yes"}), HasSubstr("`threshold`"));
}

TEST(Threshold, DecidesWhatIsAnswered) {
  Matrix<float> scores(3, 2);
  scores(0, 1) = -1;  // 0.27
  scores(1, 1) = 1;   // 0.73
  scores(2, 1) = 0;   // 0.5
  EXPECT_THAT(answered(scores, 1, {}), ElementsAre(0, 1, 0)) << "ties go to the first";
  EXPECT_THAT(answered(scores, 1, Threshold{.positive = 1, .least = 0.5}), ElementsAre(0, 1, 1))
      << "at least";
  EXPECT_THAT(answered(scores, 1, Threshold{.positive = 1, .least = 0.2}), ElementsAre(1, 1, 1));
  EXPECT_THAT(answered(scores, 1, Threshold{.positive = 0, .least = 0.7}), ElementsAre(0, 1, 1));
  EXPECT_THAT(answered(scores, 0.1, Threshold{.positive = 1, .least = 0.2}), ElementsAre(0, 1, 1))
      << "probabilities have the model's temperature";
}

TEST(Threshold, OfPredictions) {
  ModelParts parts = small_model();
  EXPECT_THAT(message_of([&] { Model(parts).predict(Table(), {.threshold = 0.5}); }), HasSubstr("3 classes"));
}

}  // namespace
}  // namespace coppice
