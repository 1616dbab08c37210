#include "experiments/comparison.h"
#include "experiments/entries.h"
#include "experiments/nonparametric.h"

#include <utility>

// AdaRad-M, and the two points that the paper leaves open: each beside AdaRad as it is used everywhere else.
#include <fmt/format.h>

namespace coppice::experiments {

namespace {

/// The way of training that a page sets beside the usual one: with one more flag.
struct Other {
  std::string label;
  std::pair<std::string, std::string> flag;
  std::string run;
};

/// The usual nets, and those trained the other way.
std::vector<Side> sides_of(const Session& session, const Nonparametric& set, const std::string& usual,
                           const Other& other) {
  return {{usual, "black", set.nets},
          {other.label, "red",
           train_nets(session, fmt::format("{}-{}", set.data.name, other.run), set.data,
                      set.flags + Flags{other.flag})}};
}

/// Both sides as one picture with a legend.
Svg sides_picture(const std::string& title, const std::vector<Side>& sides,
                  const std::vector<double>& lambdas) {
  std::vector<Mark> marks;
  Legend legend;
  for (const Side& side : sides) {
    marks = marks + marks_of(side, lambdas);
    legend.emplace_back(side.colour, side.label);
  }
  Svg picture = marks_picture(title, marks, 560, 380);
  draw_legend(picture, 546, 13, legend);
  return picture;
}

void write_sides(const Session& session, EntryPage page, const std::vector<Side>& sides, const Svg& picture) {
  for (const Side& side : sides) page.provenances.push_back(side.nets.provenance);
  write_entry(session, page, net_rows(sides), picture);
}

void write_on_mnist(const Session& session, EntryPage page, const Nonparametric& mnist,
                    const std::vector<Side>& sides) {
  page.details = comparison_table(sides, mnist.lambdas);
  page.data = {mnist.data};
  write_sides(session, std::move(page), sides, sides_picture("MNIST", sides, mnist.lambdas));
}

}  // namespace

void make_adarad_m(const Session& session) {
  const Nonparametric mnist = mnist_nets(session);
  const std::vector<Side> sides =
      sides_of(session, mnist, "AdaRad", {"AdaRad-M", {"optimizer", "adarad-m"}, "adarad-m"});
  write_on_mnist(
      session,
      {.name = "adarad-m",
       .title = "AdaRad-M beside AdaRad on MNIST",
       .introduction =
           "The paper trained with AdaRad-M, too, and leaves the results out because they were very similar. "
           "Squares are medians over seeds, bars their range, in brackets the units of a typical net.",
       .claims = {both_are_alike("AdaRad-M performs very similarly to AdaRad (here: medians of the test "
                                 "error differ by less than a tenth)",
                                 pairs_of(sides, mnist.lambdas))}},
      mnist, sides);
}

void make_scaling(const Session& session) {
  const Nonparametric mnist = mnist_nets(session);
  const std::vector<Side> sides = sides_of(session, mnist, "all pixels together",
                                           {"each pixel by itself", {"scale", "standard"}, "scale-column"});
  write_on_mnist(
      session,
      {.name = "scaling",
       .title = "Pixels scaled together or one by one on MNIST",
       .introduction =
           "The paper does not say how pixels are scaled. Here all of them share one mean and one deviation; "
           "with a deviation of their own, pixels at the border, which are almost always black, are blown "
           "up.",
       .claims = {usual_is_better("ours: scaling all pixels together gives lower test errors than scaling "
                                  "each by itself, at every lambda",
                                  pairs_of(sides, mnist.lambdas))}},
      mnist, sides);
}

void make_capnorm_output(const Session& session) {
  const Nonparametric mnist = mnist_nets(session);
  const Nonparametric convex = convex_nets(session);
  const auto sides = [&](const Nonparametric& set, const std::string& name) {
    return sides_of(session, set, name + " with",
                    {name + " without", {"output-capnorm", "off"}, "output-capnorm-off"});
  };
  const std::vector<Side> on_mnist = sides(mnist, "MNIST");
  const std::vector<Side> on_convex = sides(convex, "convex");
  const EntryPage page{
      .name = "capnorm-output",
      .title = "CapNorm on the output layer, with and without",
      .introduction =
          "The figure that shows where CapNorm stands is lost. Here it follows the output layer, too: "
          "without it the output units' fan-ins may become long, and the radial step, which is the larger "
          "the smaller lambda is, overshoots.",
      .claims = {usual_is_better(
                     "ours: with CapNorm on the output MNIST's test errors are lower at every lambda",
                     pairs_of(on_mnist, mnist.lambdas)),
                 usual_is_better(
                     "ours: the small lambdas of convex need it: without it errors are higher at every "
                     "lambda",
                     pairs_of(on_convex, convex.lambdas))},
      .details =
          comparison_table(on_mnist, mnist.lambdas) + "\n" + comparison_table(on_convex, convex.lambdas),
      .data = {mnist.data, convex.data}};
  Svg picture(1120, 380, "test error against size with and without CapNorm on the output layer");
  picture.insert(0, 0, sides_picture("MNIST", on_mnist, mnist.lambdas));
  picture.insert(560, 0, sides_picture("convex", on_convex, convex.lambdas));
  write_sides(session, page, on_mnist + on_convex, picture);
}

}  // namespace coppice::experiments
