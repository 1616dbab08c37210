#include "coppice/core/text.h"
#include "coppice/report/html.h"
#include "coppice/reproduce/comparison.h"
#include "coppice/reproduce/entries.h"
#include "coppice/reproduce/nonparametric.h"

#include <algorithm>
#include <cmath>
#include <utility>

// AdaRad-M, and the two points that the paper leaves open: each beside AdaRad as it is used everywhere else.
namespace coppice::reproduce {

namespace {

/// Medians that differ by less than this share are called equal.
constexpr double alike = 0.1;

struct Pair {
  Group usual;
  Group other;
  double more() const { return other.errors.median / usual.errors.median - 1; }
};

/// The usual nets, and nets that were trained with one more flag.
std::vector<Side> sides_of(const Session& session, const Nonparametric& set, const std::string& usual,
                           const std::string& other, const std::string& flag, const std::string& value,
                           const std::string& run) {
  Flags flags = set.flags;
  flags.emplace_back(flag, value);
  return {{usual, "black", set.nets},
          {other, "red", train_nets(session, fmt::format("{}-{}", set.data.name, run), set.data, flags)}};
}

std::vector<Pair> pairs_of(const std::vector<Side>& sides, const std::vector<double>& lambdas) {
  std::vector<Pair> pairs;
  for (const double lambda : lambdas)
    pairs.push_back({group_of(sides[0].nets, lambda), group_of(sides[1].nets, lambda)});
  return pairs;
}

/// "lambda 0.003: 1.95 % and 1.99 %; ...".
std::string medians_text(const std::vector<Pair>& pairs) {
  std::vector<std::string> parts;
  for (const Pair& pair : pairs)
    parts.push_back(fmt::format("lambda {:g}: {} and {}", pair.usual.lambda,
                                share_text(pair.usual.errors.median), share_text(pair.other.errors.median)));
  return joined(parts, "; ");
}

/// Whether the usual nets are better at every lambda.
Claim better(const std::string& claim, const std::vector<Pair>& pairs) {
  return {claim, medians_text(pairs),
          std::ranges::all_of(pairs, [](const Pair& pair) { return pair.more() > 0; })};
}

/// Both sides as one picture with a legend.
Svg sides_picture(const std::string& title, const std::vector<Side>& sides,
                  const std::vector<double>& lambdas) {
  std::vector<Mark> marks;
  std::vector<std::pair<std::string, std::string>> legend;
  for (const Side& side : sides) {
    const std::vector<Mark> own = marks_of(side, lambdas);
    marks.insert(marks.end(), own.begin(), own.end());
    legend.emplace_back(side.colour, side.label);
  }
  Svg picture = marks_picture(title, marks, 560, 380);
  draw_legend_line(picture, 546, 13, legend);
  return picture;
}

void write_sides(const Session& session, Page page, const std::vector<Side>& sides, const Svg& picture) {
  for (const Side& side : sides) page.origins.push_back(side.nets.origin);
  write_entry(session, page, csv_text(net_rows(sides)), picture.file(picture_style()));
}

void write_on_mnist(const Session& session, Page page, const Nonparametric& mnist,
                    const std::vector<Side>& sides) {
  page.details = comparison_table(sides, mnist.lambdas);
  page.data = {mnist.data};
  write_sides(session, std::move(page), sides, sides_picture("MNIST", sides, mnist.lambdas));
}

}  // namespace

void make_adarad_m(const Session& session) {
  const Nonparametric mnist = mnist_nets(session);
  const std::vector<Side> sides =
      sides_of(session, mnist, "AdaRad", "AdaRad-M", "optimizer", "adarad-m", "adarad-m");
  const std::vector<Pair> pairs = pairs_of(sides, mnist.lambdas);
  const bool similar =
      std::ranges::all_of(pairs, [](const Pair& pair) { return std::abs(pair.more()) < alike; });
  write_on_mnist(
      session,
      {.name = "adarad-m",
       .title = "AdaRad-M beside AdaRad on MNIST",
       .introduction =
           "The paper trained with AdaRad-M, too, and leaves the results out because they were very similar. "
           "Squares are medians over seeds, bars their range, in brackets the units of a typical net.",
       .claims = {{"AdaRad-M performs very similarly to AdaRad (here: medians of the test error differ by "
                   "less than a tenth)",
                   medians_text(pairs), similar}}},
      mnist, sides);
}

void make_scaling(const Session& session) {
  const Nonparametric mnist = mnist_nets(session);
  const std::vector<Side> sides = sides_of(session, mnist, "all pixels together", "each pixel by itself",
                                           "scale", "column", "scale-column");
  write_on_mnist(
      session,
      {.name = "scaling",
       .title = "Pixels scaled together or one by one on MNIST",
       .introduction =
           "The paper does not say how pixels are scaled. Here all of them share one mean and one deviation; "
           "with a deviation of their own, pixels at the border, which are almost always black, are blown "
           "up.",
       .claims = {better("ours: scaling all pixels together gives lower test errors than scaling each by "
                         "itself, at every lambda",
                         pairs_of(sides, mnist.lambdas))}},
      mnist, sides);
}

void make_capnorm_output(const Session& session) {
  const Nonparametric mnist = mnist_nets(session);
  const Nonparametric convex = convex_nets(session);
  const auto sides = [&](const Nonparametric& set, const std::string& name) {
    return sides_of(session, set, name + " with", name + " without", "output-capnorm", "off",
                    "output-capnorm-off");
  };
  const std::vector<Side> on_mnist = sides(mnist, "MNIST");
  const std::vector<Side> on_convex = sides(convex, "convex");
  const Page page{
      .name = "capnorm-output",
      .title = "CapNorm on the output layer, with and without",
      .introduction =
          "The figure that shows where CapNorm stands is lost. Here it follows the output layer, too: "
          "without "
          "it the output units' fan-ins may become long, and the radial step, which is the larger the "
          "smaller "
          "lambda is, overshoots.",
      .claims = {better("ours: with CapNorm on the output MNIST's test errors are lower at every lambda",
                        pairs_of(on_mnist, mnist.lambdas)),
                 better("ours: the small lambdas of convex need it: without it errors are higher at every "
                        "lambda",
                        pairs_of(on_convex, convex.lambdas))},
      .details =
          comparison_table(on_mnist, mnist.lambdas) + "\n" + comparison_table(on_convex, convex.lambdas),
      .data = {mnist.data, convex.data}};
  Svg picture(1120, 380, "test error against size with and without CapNorm on the output layer");
  picture.insert(0, 0, sides_picture("MNIST", on_mnist, mnist.lambdas));
  picture.insert(560, 0, sides_picture("convex", on_convex, convex.lambdas));
  write_sides(session, page, {on_mnist[0], on_mnist[1], on_convex[0], on_convex[1]}, picture);
}

}  // namespace coppice::reproduce
