#include "experiments/samples.h"

#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/data/generate.h"
#include "coppice/device/processor.h"

#include "experiments/entries.h"
#include "experiments/stored.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace coppice::experiments {

namespace {

constexpr std::size_t shown = 10;  ///< of each class
constexpr std::size_t sample_rows = 1000;
constexpr std::size_t greys = 16;

/// One path per grey, each of stretches along the rows.
void draw_image(Svg& svg, const Image& image, double left, double top, double pixel) {
  const auto grey = [&](std::size_t y, std::size_t x) {
    return static_cast<std::size_t>(std::lround(image.pixels.at(y * image_side + x) * (greys - 1)));
  };
  std::array<std::string, greys> paths;
  for (std::size_t y = 0; y < image_side; ++y) {
    for (std::size_t x = 0; x < image_side;) {
      std::size_t end = x + 1;
      while (end < image_side && grey(y, end) == grey(y, x)) ++end;
      const double width = pixel * static_cast<double>(end - x);
      paths.at(grey(y, x)) += fmt::format("M{} {}h{}v{}h-{}z", left + pixel * static_cast<double>(x),
                                          top + pixel * static_cast<double>(y), width, pixel, width);
      x = end;
    }
  }
  svg.rect(left - 0.5, top - 0.5, pixel * image_side + 1, pixel * image_side + 1, "frame");
  for (std::size_t g = 0; g < greys; ++g) svg.path(paths.at(g), fmt::format("pixel grey-{}", g));
}

/// Class grey-0 is black, the last one white.
std::string grey_style() {
  std::string style = ".pixel{shape-rendering:crispEdges}.frame{fill:none;stroke:#888}";
  for (std::size_t g = 0; g < greys; ++g) {
    const std::size_t value = 255 * g / (greys - 1);
    style += fmt::format(".grey-{}{{fill:rgb({},{},{})}}", g, value, value, value);
  }
  return style;
}

Svg samples(const std::vector<ImageSet>& sets) {
  constexpr double pixel = 3;
  constexpr double gap = 8;
  constexpr double cell = pixel * image_side + gap;
  constexpr double block = 2 * cell + 34;
  Svg svg(110 + shown * cell, 10 + block * static_cast<double>(sets.size()),
          "samples of the generated images");
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const double top = 10 + block * static_cast<double>(s);
    svg.text(8, top + 12, sets[s].name, "start", "name");
    for (const bool positive : {true, false}) {
      const double row = top + 22 + (positive ? 0 : cell);
      svg.text(8, row + cell / 2, positive ? sets[s].first : sets[s].second);
      std::size_t drawn = 0;
      for (const Image& image : sets[s].images) {
        if (image.positive != positive || drawn == shown) continue;
        draw_image(svg, image, 100 + cell * static_cast<double>(drawn), row, pixel);
        ++drawn;
      }
    }
  }
  return svg;
}

/// What benchmarks/difficulty.py found out, if someone has put it beside the pages.
void add_difficulty(const Session& session, EntryPage& page, Rows& rows) {
  const std::string path = (std::filesystem::path(session.out) / "difficulty.json").string();
  if (!std::filesystem::exists(path)) return;
  const auto json = nlohmann::json::parse(read_file(path), nullptr, false);
  if (!json.is_object()) fail("{}: is not a JSON object; make it anew with benchmarks/difficulty.py", path);
  for (const auto& [name, published] : {std::pair("convex", 0.19), std::pair("rectangles", 0.24)}) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_object() || !found->contains("test_error") ||
        !found->at("test_error").is_number())
      continue;
    const double error = found->at("test_error");
    rows.push_back({name, "support vector machine, test error", csv_number(error)});
    page.claims.push_back(difficulty_claim(name, {.error = error,
                                                  .published = published,
                                                  .test_rows = found->value("test_rows", std::size_t{0}),
                                                  .how = found->value("how", "")}));
  }
  if (json.contains("command"))
    page.provenances.push_back({.name = "support vector machine",
                                .command = json.value("command", ""),
                                .seeds = json.value("seeds", "-"),
                                .device = json.value("device", ""),
                                .precision = "double",
                                .seconds = json.value("seconds", 0.0)});
}

}  // namespace

std::vector<Image> parse_images(const std::string& amat) {
  std::istringstream numbers(amat);
  std::vector<Image> images;
  for (Image image;; images.push_back(image)) {
    for (double& pixel : image.pixels) numbers >> pixel;
    double label = 0;
    if (!(numbers >> label)) return images;
    image.positive = label > 0.5;
  }
}

double positive_share(const ImageSet& set) {
  const auto count = std::ranges::count(set.images, true, &Image::positive);
  return static_cast<double>(count) / static_cast<double>(set.images.size());
}

double mean_pixel(const ImageSet& set, bool positive) {
  double sum = 0;
  double count = 0;
  for (const Image& image : set.images) {
    if (image.positive != positive) continue;
    for (const double value : image.pixels) sum += value;
    count += static_cast<double>(image.pixels.size());
  }
  return sum / count;
}

namespace {

/// Mean pixels of the images of a class.
std::vector<double> brightness(const ImageSet& set, bool positive) {
  std::vector<double> means;
  for (const Image& image : set.images) {
    if (image.positive != positive) continue;
    double sum = 0;
    for (const double value : image.pixels) sum += value;
    means.push_back(sum / static_cast<double>(image.pixels.size()));
  }
  return means;
}

}  // namespace

std::vector<Claim> sample_claims(const ImageSet& set) {
  constexpr double low = 0.4;
  constexpr double high = 0.6;
  constexpr double margin = 0.1;
  const auto positive = static_cast<std::size_t>(std::ranges::count(set.images, true, &Image::positive));
  const std::size_t rows = set.images.size();
  return {{fmt::format("both classes of {} are equally frequent (here: 40 to 60 %)", set.name),
           fmt::format("{:.1f} % {}", 100 * positive_share(set), set.first),
           all_of({share_above("", positive, rows, low), share_below("", positive, rows, high)}), true},
          {fmt::format("brightness tells nothing about the class of {} (here: within a tenth)", set.name),
           fmt::format("mean pixel {:.3f} {}, {:.3f} {}", mean_pixel(set, true), set.first,
                       mean_pixel(set, false), set.second),
           alike_everywhere({{"", brightness(set, true), brightness(set, false)}}, margin), true}};
}

Claim difficulty_claim(const std::string& set, const Difficulty& found) {
  const auto wrong =
      static_cast<std::size_t>(std::lround(found.error * static_cast<double>(found.test_rows)));
  return {fmt::format("a support vector machine with Gaussian kernels errs on the generated {} about "
                      "as often as on the published set, {:.0f} % (here: within a half)",
                      set, 100 * found.published),
          fmt::format("{:.1f} % ({})", 100 * found.error, found.how),
          all_of({share_above("", wrong, found.test_rows, 0.5 * found.published),
                  share_below("", wrong, found.test_rows, 1.5 * found.published)}),
          true};
}

void make_data(const Session& session) {
  const std::vector<ImageSet> sets{
      {"convex", "convex", "not convex", parse_images(generate_convex(sample_rows, 1))},
      {"rectangles", "tall", "wide", parse_images(generate_rectangles(sample_rows, 1))}};
  Rows rows{{"set", "what", "value"}};
  EntryPage page{
      .name = "data",
      .title = "Samples of the generated images",
      .introduction = fmt::format(
          "The published sets *convex* and *rectangles-images* cannot be distributed here; these generated "
          "ones stand in for them unless `--data DIR` names a folder with the original files "
          "(convex_train.amat, convex_test.amat, rectangles_im_train.amat, rectangles_im_test.amat). The "
          "first images of each class; the numbers are of the first {} rows.",
          sample_rows)};
  for (const ImageSet& set : sets) {
    rows.push_back({set.name, "share of class 1", csv_number(positive_share(set))});
    for (const bool positive : {true, false})
      rows.push_back({set.name, fmt::format("mean pixel, {}", positive ? set.first : set.second),
                      csv_number(mean_pixel(set, positive))});
    page.claims = page.claims + sample_claims(set);
    page.provenances.push_back({.name = set.name,
                                .command = fmt::format("coppice generate {} --rows {} --seed 1 -o {}.amat",
                                                       set.name, sample_rows, set.name),
                                .seeds = "1",
                                .device = processor_name(),
                                .precision = "-"});
  }
  add_difficulty(session, page, rows);
  write_entry(session, page, rows, samples(sets), grey_style());
}

void judge_data(const Session& session, const StoredEntry&) {
  make_data(session);  // nothing is trained for it
}

}  // namespace coppice::experiments
