#pragma once

#include "experiments/page.h"

#include <array>
#include <string>
#include <vector>

// Samples of the generated images: what stands in for the published sets.
namespace coppice::experiments {

constexpr std::size_t image_side = 28;

struct Image {
  std::array<double, image_side * image_side> pixels{};
  bool positive = false;
};

struct ImageSet {
  std::string name;
  std::string first;   ///< what class 1 is
  std::string second;  ///< what class 0 is
  std::vector<Image> images;
};

/// The images of an amat text.
std::vector<Image> parse_images(const std::string& amat);

double positive_share(const ImageSet& set);
/// Of the images of one class.
double mean_pixel(const ImageSet& set, bool positive);

/// Both classes are as frequent, and as bright.
std::vector<Claim> sample_claims(const ImageSet& set);

/// What a support vector machine came to on a generated set, and on the published one.
struct Difficulty {
  double error = 0;
  double published = 0;
  std::size_t test_rows = 0;
  std::string how = {};  ///< it was trained
};
/// It errs about as often on both.
Claim difficulty_claim(const std::string& set, const Difficulty& found);

}  // namespace coppice::experiments
