#pragma once

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace coppice {

constexpr std::size_t pixels_per_image = 784;

struct GeneratedImage {
  std::vector<double> pixels;
  int label = 0;
};

/// Reads generated amat text strictly: 784 pixels and a label of 0 or 1 per line.
inline std::vector<GeneratedImage> parse_images(const std::string& text) {
  std::vector<GeneratedImage> images;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    GeneratedImage image;
    image.pixels.resize(pixels_per_image);
    for (double& pixel : image.pixels) cells >> pixel;
    cells >> image.label;
    EXPECT_TRUE(cells && cells.eof() && (image.label == 0 || image.label == 1)) << line;
    images.push_back(std::move(image));
  }
  return images;
}

/// A number that tells images apart, and one for their labels.
inline double weighted_pixels(const std::vector<GeneratedImage>& images) {
  double sum = 0;
  for (std::size_t i = 0; i < images.size(); ++i)
    for (std::size_t p = 0; p < pixels_per_image; ++p)
      sum += images[i].pixels[p] * static_cast<double>((p + 31 * i) % 97);
  return sum;
}
inline std::size_t weighted_labels(const std::vector<GeneratedImage>& images) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < images.size(); ++i) sum += static_cast<std::size_t>(images[i].label) * (i + 1);
  return sum;
}

}  // namespace coppice
