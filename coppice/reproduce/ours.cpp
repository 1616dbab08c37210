#include "coppice/core/text.h"
#include "coppice/report/html.h"
#include "coppice/reproduce/comparison.h"
#include "coppice/reproduce/entries.h"
#include "coppice/reproduce/nonparametric.h"

#include <algorithm>
#include <cmath>

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

std::vector<Pair> pairs_of(const Side& usual, const Side& other, const std::vector<double>& lambdas) {
  std::vector<Pair> pairs;
  for (const double lambda : lambdas)
    pairs.push_back({group_of(usual.nets, lambda), group_of(other.nets, lambda)});
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

Flags with(Flags flags, const std::string& name, const std::string& value) {
  flags.emplace_back(name, value);
  return flags;
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

}  // namespace

void make_adarad_m(const Session& session) {
  const Nonparametric mnist = mnist_nets(session);
  const Side usual{.label = "AdaRad", .colour = "black", .nets = mnist.nets};
  const Side other{
      .label = "AdaRad-M",
      .colour = "red",
      .nets = train_nets(session, "mnist-adarad-m", mnist.data, with(mnist.flags, "optimizer", "adarad-m"))};
  const std::vector<Pair> pairs = pairs_of(usual, other, mnist.lambdas);
  Page page{
      .name = "adarad-m",
      .title = "AdaRad-M beside AdaRad on MNIST",
      .introduction =
          "The paper trained with AdaRad-M, too, and leaves the results out because they were very similar. "
          "Squares are medians over seeds, bars their range, in brackets the units of a typical net.",
      .claims = {},
      .details = comparison_table({usual, other}, mnist.lambdas),
      .origins = {},
      .data = {mnist.data}};
  const bool similar =
      std::ranges::all_of(pairs, [](const Pair& pair) { return std::abs(pair.more()) < alike; });
  page.claims.push_back(
      {"AdaRad-M performs very similarly to AdaRad (here: medians of the test error differ by less than a "
       "tenth)",
       medians_text(pairs), similar});
  write_sides(session, page, {usual, other}, sides_picture("MNIST", {usual, other}, mnist.lambdas));
}

void make_scaling(const Session& session) {
  const Nonparametric mnist = mnist_nets(session);
  const Side usual{.label = "all pixels together", .colour = "black", .nets = mnist.nets};
  const Side other{
      .label = "each pixel by itself",
      .colour = "red",
      .nets = train_nets(session, "mnist-scale-column", mnist.data, with(mnist.flags, "scale", "column"))};
  const std::vector<Pair> pairs = pairs_of(usual, other, mnist.lambdas);
  Page page{.name = "scaling",
            .title = "Pixels scaled together or one by one on MNIST",
            .introduction =
                "The paper does not say how pixels are scaled. Here all of them share one mean and one "
                "deviation; with a "
                "deviation of their own, pixels at the border, which are almost always black, are blown up.",
            .claims = {},
            .details = comparison_table({usual, other}, mnist.lambdas),
            .origins = {},
            .data = {mnist.data}};
  const bool better = std::ranges::all_of(pairs, [](const Pair& pair) { return pair.more() > 0; });
  page.claims.push_back(
      {"ours: scaling all pixels together gives lower test errors than scaling each by itself, at every "
       "lambda",
       medians_text(pairs), better});
  write_sides(session, page, {usual, other}, sides_picture("MNIST", {usual, other}, mnist.lambdas));
}

void make_capnorm_output(const Session& session) {
  const Nonparametric mnist = mnist_nets(session);
  const Nonparametric convex = convex_nets(session);
  const auto without = [&](const Nonparametric& set) {
    return train_nets(session, fmt::format("{}-output-capnorm-off", set.data.name), set.data,
                      with(set.flags, "output-capnorm", "off"));
  };
  const std::vector<Side> on_mnist{{"MNIST with", "black", mnist.nets},
                                   {"MNIST without", "red", without(mnist)}};
  const std::vector<Side> on_convex{{"convex with", "black", convex.nets},
                                    {"convex without", "red", without(convex)}};
  Page page{.name = "capnorm-output",
            .title = "CapNorm on the output layer, with and without",
            .introduction =
                "The figure that shows where CapNorm stands is lost. Here it follows the output layer, too: "
                "without it the "
                "output units' fan-ins may become long, and the radial step, which is the larger the smaller "
                "lambda is, "
                "overshoots.",
            .claims = {},
            .details = comparison_table(on_mnist, mnist.lambdas) + "\n" +
                       comparison_table(on_convex, convex.lambdas),
            .origins = {},
            .data = {mnist.data, convex.data}};
  const std::vector<Pair> pairs = pairs_of(on_mnist[0], on_mnist[1], mnist.lambdas);
  page.claims.push_back({"ours: with CapNorm on the output MNIST's test errors are lower at every lambda",
                         medians_text(pairs),
                         std::ranges::all_of(pairs, [](const Pair& pair) { return pair.more() > 0; })});
  const std::vector<Pair> hard = pairs_of(on_convex[0], on_convex[1], convex.lambdas);
  page.claims.push_back(
      {"ours: the small lambdas of convex need it: without it errors are higher at every lambda",
       medians_text(hard), std::ranges::all_of(hard, [](const Pair& pair) { return pair.more() > 0; })});
  Svg picture(1120, 380, "test error against size with and without CapNorm on the output layer");
  picture.insert(0, 0, sides_picture("MNIST", on_mnist, mnist.lambdas));
  picture.insert(560, 0, sides_picture("convex", on_convex, convex.lambdas));
  write_sides(session, page, {on_mnist[0], on_mnist[1], on_convex[0], on_convex[1]}, picture);
}

}  // namespace coppice::reproduce
