#include "experiments/samples.h"

#include "coppice/core/file.h"
#include "coppice/device/processor.h"

#include "experiments/entries.h"
#include "tests/support.h"

#include <sstream>

#include <gtest/gtest.h>

namespace coppice::experiments {
namespace {

/// So many images of each class, all of their pixels alike.
ImageSet images(std::size_t positive, double bright, std::size_t negative, double dark) {
  ImageSet set{"convex", "convex", "not convex", std::vector<Image>(positive + negative)};
  for (std::size_t i = 0; i < set.images.size(); ++i) {
    set.images[i].positive = i < positive;
    set.images[i].pixels.fill(i < positive ? bright : dark);
  }
  return set;
}

std::vector<Verdict> verdicts_of(const ImageSet& set) {
  std::vector<Verdict> all;
  for (const Claim& claim : sample_claims(set)) all.push_back(claim.judged.verdict);
  return all;
}

TEST(Samples, AmatTextsAreImagesWithALabelEach) {
  std::string amat;
  for (const char* label : {"1.0", "0"}) {
    for (std::size_t i = 0; i < image_side * image_side; ++i) amat += i == 29 ? "0.25 " : "1 ";
    amat += std::string(label) + "\n";
  }
  const std::vector<Image> parsed = parse_images(amat);
  ASSERT_EQ(parsed.size(), 2U);
  EXPECT_TRUE(parsed[0].positive);
  EXPECT_FALSE(parsed[1].positive);
  EXPECT_EQ(parsed[1].pixels[29], 0.25);
  EXPECT_EQ(parsed[1].pixels[28], 1);
}

TEST(SampleClaims, ClassesMustBeAsFrequentAndAsBright) {
  constexpr Verdict yes = Verdict::holds;
  constexpr Verdict no = Verdict::fails;
  constexpr Verdict open = Verdict::undecided;
  EXPECT_EQ(verdicts_of(images(550, 0.5, 450, 0.5)), (std::vector{yes, yes}));
  EXPECT_EQ(verdicts_of(images(590, 0.5, 410, 0.5)), (std::vector{open, yes})) << "too near to 60 %";
  EXPECT_EQ(verdicts_of(images(650, 0.5, 350, 0.5)), (std::vector{no, yes}));
  EXPECT_EQ(verdicts_of(images(350, 0.5, 650, 0.5)), (std::vector{no, yes}));
  EXPECT_EQ(verdicts_of(images(500, 0.54, 500, 0.5)), (std::vector{yes, yes}));
  EXPECT_EQ(verdicts_of(images(500, 0.56, 500, 0.5)), (std::vector{yes, no}));
  EXPECT_EQ(verdicts_of(images(500, 0.44, 500, 0.5)), (std::vector{yes, no}));
  EXPECT_EQ(sample_claims(images(1, 0.5, 1, 0.25))[1].measured, "mean pixel 0.500 convex, 0.250 not convex");
}

TEST(SampleClaims, AMachineErrsWithinAHalfOfThePublishedError) {
  const auto alike = [](double error) {
    return difficulty_claim("convex", {.error = error, .published = 0.2, .test_rows = 50'000}).judged.verdict;
  };
  EXPECT_EQ(alike(0.11), Verdict::holds);
  EXPECT_EQ(alike(0.29), Verdict::holds);
  EXPECT_EQ(alike(0.1), Verdict::undecided);
  EXPECT_EQ(alike(0.09), Verdict::fails);
  EXPECT_EQ(alike(0.31), Verdict::fails);
}

/// Lines of one of the pages that were committed, or of the same page made anew.
std::vector<std::string> lines_of(const std::string& folder, const std::string& name) {
  std::istringstream text(read_file(folder + "/" + name));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

using CommittedPages = test::Folder;

/// The other pages take hours on a GPU.
TEST_F(CommittedPages, OfTheDataIsWhatTheProgramWrites) {
  const std::string out = path("out");
  std::filesystem::copy(COPPICE_PAGES, out, std::filesystem::copy_options::recursive);
  make_data({.scale = "paper", .counts = counts_of("paper"), .out = out, .device = Device::cuda});
  EXPECT_EQ(read_file(out + "/data.csv"), read_file(COPPICE_PAGES "/data.csv"));
  for (const char* name : {"data.md", "README.md", "data.svg"}) {
    const std::vector<std::string> before = lines_of(COPPICE_PAGES, name);
    const std::vector<std::string> now = lines_of(out, name);
    ASSERT_EQ(now.size(), before.size()) << name;
    for (std::size_t i = 0; i < now.size(); ++i) {
      // Another processor, and a style sheet that has more colours now.
      if (now[i].find(processor_name()) != std::string::npos || now[i].starts_with("<style>")) continue;
      EXPECT_EQ(now[i], before[i]) << name;
    }
  }
}

}  // namespace
}  // namespace coppice::experiments
