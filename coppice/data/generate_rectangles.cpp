#include "coppice/data/generate.h"
#include "coppice/data/generate_row.h"
#include "coppice/data/mask.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace coppice {

namespace {

constexpr std::size_t side = image_side;
constexpr int shortest_edge = 10;
constexpr int smallest_difference = 5;
constexpr int smallest_image = image_side * image_side / 4;
constexpr int largest_image = image_side * image_side * 3 / 4;

using Texture = std::array<float, side * side>;

struct Rectangle {
  int left;
  int top;
  int width;
  int height;
};

/// Adds amplitude * cos(kx * x + ky * y + phase). Along a row the cosine follows
/// cos(t + k) = 2 cos(k) cos(t) - cos(t - k), so that only three cosines are computed per row.
void add_wave(Texture& texture, Random& random, double frequency, double amplitude) {
  const double direction = between(random, 0.0, std::numbers::pi);
  const double phase = between(random, 0.0, 2.0 * std::numbers::pi);
  const double kx = frequency * std::cos(direction);
  const double ky = frequency * std::sin(direction);
  const double twice_cos = 2.0 * std::cos(kx);
  for (std::size_t y = 0; y < side; ++y) {
    const double start = phase + ky * static_cast<double>(y);
    double before = amplitude * std::cos(start - kx);
    double here = amplitude * std::cos(start);
    for (std::size_t x = 0; x < side; ++x) {
      texture[y * side + x] += static_cast<float>(here);
      const double next = twice_cos * here - before;
      before = here;
      here = next;
    }
  }
}

/// A patch of its own brightness and contrast: waves whose amplitude falls with the frequency, as in
/// photographs, and some noise.
Texture texture_patch(Random& random) {
  constexpr int waves = 8;
  constexpr double lowest_frequency = 0.05;
  constexpr double highest_frequency = 1.2;
  const double brightness = between(random, 0.35, 0.65);
  const double contrast = between(random, 0.05, 0.2);
  const double noise = between(random, 0.0, 0.3) * contrast;
  Texture texture;
  texture.fill(static_cast<float>(brightness));
  for (int wave = 0; wave < waves; ++wave) {
    const double octaves = random.uniform();
    const double frequency = lowest_frequency * std::pow(highest_frequency / lowest_frequency, octaves);
    add_wave(texture, random, frequency, contrast * (1.0 - octaves) * random.normal());
  }
  for (float& pixel : texture) {
    pixel += static_cast<float>(noise * (static_cast<double>(random.next()) * 0x1.0p-31 - 1.0));
  }
  return texture;
}

Rectangle random_rectangle(Random& random, bool tall) {
  while (true) {
    const int a = whole_between(random, shortest_edge, image_side);
    const int b = whole_between(random, shortest_edge, image_side);
    const auto [shorter, longer] = std::minmax(a, b);
    if (longer - shorter < smallest_difference) continue;
    if (a * b < smallest_image || a * b > largest_image) continue;
    Rectangle rectangle{.left = 0, .top = 0, .width = longer, .height = shorter};
    if (tall) std::swap(rectangle.width, rectangle.height);
    rectangle.left = whole_between(random, 0, image_side - rectangle.width);
    rectangle.top = whole_between(random, 0, image_side - rectangle.height);
    return rectangle;
  }
}

/// Three decimals: "0.125 ".
void append_pixel(std::string& text, float value) {
  const int thousandths = std::clamp(static_cast<int>(std::lround(value * 1000.0F)), 0, 1000);
  const auto digit = [](int number) { return static_cast<char>('0' + number % 10); };
  const std::array<char, 6> characters{digit(thousandths / 1000), '.',
                                       digit(thousandths / 100),  digit(thousandths / 10),
                                       digit(thousandths),        ' '};
  text.append(characters.data(), characters.size());
}

}  // namespace

std::string generate_rectangles(std::size_t rows, std::uint64_t seed, std::size_t first) {
  std::string text;
  text.reserve(rows * (6 * side * side + 2));
  for (std::size_t row = first; row < first + rows; ++row) {
    Random random = row_random(seed, GeneratorKind::rectangles, row);
    const bool tall = random.below(2) == 1;
    const Rectangle rectangle = random_rectangle(random, tall);
    Texture image = texture_patch(random);
    const Texture filling = texture_patch(random);
    for (int y = rectangle.top; y < rectangle.top + rectangle.height; ++y) {
      const std::size_t left = static_cast<std::size_t>(y) * side + static_cast<std::size_t>(rectangle.left);
      std::copy_n(filling.begin() + left, rectangle.width, image.begin() + static_cast<std::ptrdiff_t>(left));
    }
    for (const float pixel : image) append_pixel(text, pixel);
    text += tall ? "1\n" : "0\n";
  }
  return text;
}

}  // namespace coppice
