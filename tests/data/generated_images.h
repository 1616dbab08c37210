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

}  // namespace coppice
