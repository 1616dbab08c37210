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

std::vector<bool> holds_for(const ImageSet& set) {
  std::vector<bool> all;
  for (const Claim& claim : sample_claims(set)) all.push_back(claim.holds.value());
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
  EXPECT_EQ(holds_for(images(59, 0.5, 41, 0.5)), (std::vector{true, true}));
  EXPECT_EQ(holds_for(images(61, 0.5, 39, 0.5)), (std::vector{false, true}));
  EXPECT_EQ(holds_for(images(39, 0.5, 61, 0.5)), (std::vector{false, true}));
  EXPECT_EQ(holds_for(images(50, 0.54, 50, 0.5)), (std::vector{true, true}));
  EXPECT_EQ(holds_for(images(50, 0.56, 50, 0.5)), (std::vector{true, false}));
  EXPECT_EQ(holds_for(images(50, 0.44, 50, 0.5)), (std::vector{true, false}));
  EXPECT_EQ(sample_claims(images(1, 0.5, 1, 0.25))[1].measured, "mean pixel 0.500 convex, 0.250 not convex");
}

TEST(SampleClaims, AMachineErrsWithinAHalfOfThePublishedError) {
  const auto alike = [](double error) { return difficulty_claim("convex", error, 0.2, "").holds.value(); };
  EXPECT_TRUE(alike(0.11));
  EXPECT_TRUE(alike(0.29));
  EXPECT_FALSE(alike(0.1));
  EXPECT_FALSE(alike(0.31));
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
