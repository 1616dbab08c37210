#include "experiments/comparison.h"
#include "experiments/entries.h"
#include "experiments/nonparametric.h"

#include <utility>

#include <fmt/format.h>

// AdaRad-M, and the two points that the paper leaves open: each beside AdaRad as it is used everywhere else.
namespace coppice::experiments {

namespace {

/// The way of training that a page sets beside the usual one: with one more flag.
struct Other {
  std::string label;
  std::pair<std::string, std::string> flag;
  std::string run;
};

const std::vector<std::string> colours{"black", "red"};

/// The usual nets, and those trained the other way.
std::vector<Side> sides_of(const Session& session, const Nonparametric& set, const std::string& usual,
                           const Other& other) {
  return {{usual, colours[0], set.nets},
          {other.label, colours[1],
           train_nets(session, fmt::format("{}-{}", set.data.name, other.run), set.data,
                      set.flags + Flags{other.flag})}};
}

/// Both sides as one picture with a legend.
Svg sides_picture(const std::string& title, const std::vector<Side>& sides) {
  std::vector<Mark> marks;
  Legend legend;
  for (const Side& side : sides) {
    marks = marks + marks_of(side, lambdas_of(side.nets));
    legend.emplace_back(side.colour, side.label);
  }
  Svg picture = marks_picture(title, marks, 560, 380);
  draw_legend(picture, 546, 13, legend);
  return picture;
}

std::vector<Pair> pairs_in(const std::vector<Side>& sides) {
  return pairs_of(sides, lambdas_of(sides.front().nets));
}

std::string table_of(const std::vector<Side>& sides) {
  return comparison_table(sides, lambdas_of(sides.front().nets));
}

EntryPage with_runs(EntryPage page, const std::vector<Side>& sides) {
  for (const Side& side : sides) page.provenances.push_back(side.nets.provenance);
  return page;
}

EntryPage adarad_m_page(const std::vector<Side>& sides) {
  Claim lower =
      usual_is_better("AdaRad-M's errors are lower at every lambda", pairs_in({sides.at(1), sides.at(0)}));
  lower.ours = true;
  return with_runs(
      {.name = "adarad-m",
       .title = "AdaRad-M beside AdaRad on MNIST",
       .introduction =
           "The paper trained with AdaRad-M, too, and leaves the results out because they were very similar. "
           "Squares are medians over seeds, bars their range, in brackets the units of a typical net.",
       .claims = {both_are_alike(
                      "AdaRad-M performs very similarly to AdaRad (here: test errors and parameters "
                      "within a tenth at every lambda)",
                      pairs_in(sides)),
                  lower},
       .details = table_of(sides)},
      sides);
}

EntryPage scaling_page(const std::vector<Side>& sides) {
  Claim better = usual_is_better(
      "scaling all pixels together gives lower test errors than scaling each by itself, at every lambda",
      pairs_in(sides));
  better.ours = true;
  return with_runs(
      {.name = "scaling",
       .title = "Pixels scaled together or one by one on MNIST",
       .introduction =
           "The paper does not say how pixels are scaled. Here all of them share one mean and one deviation; "
           "with a deviation of their own, pixels at the border, which are almost always black, are blown "
           "up.",
       .claims = {better},
       .details = table_of(sides)},
      sides);
}

EntryPage capnorm_page(const std::vector<Side>& mnist, const std::vector<Side>& convex) {
  std::vector<Claim> claims{
      usual_is_better("with CapNorm on the output MNIST's test errors are lower at every lambda",
                      pairs_in(mnist)),
      usual_is_better("the small lambdas of convex need it: without it errors are higher at every lambda",
                      pairs_in(convex))};
  for (Claim& claim : claims) claim.ours = true;
  return with_runs(
      {.name = "capnorm-output",
       .title = "CapNorm on the output layer, with and without",
       .introduction =
           "The figure that shows where CapNorm stands is lost. Here it follows the output layer, too: "
           "without it the output units' fan-ins may become long, and the radial step, which is the larger "
           "the smaller lambda is, overshoots.",
       .claims = claims,
       .details = table_of(mnist) + "\n" + table_of(convex)},
      mnist + convex);
}

/// A page about two ways of training on MNIST.
void make_on_mnist(const Session& session, const std::string& usual, const Other& other,
                   EntryPage (*page_of)(const std::vector<Side>&)) {
  const Nonparametric mnist = mnist_nets(session);
  const std::vector<Side> sides = sides_of(session, mnist, usual, other);
  EntryPage page = page_of(sides);
  page.data = {mnist.data};
  write_entry(session, page, net_rows(sides), sides_picture("MNIST", sides));
}

void judge(const Session& session, const StoredEntry& stored, EntryPage page) {
  page.data = stored.data;
  page.version = stored.version;
  write_page(session, page);
}

}  // namespace

void make_adarad_m(const Session& session) {
  make_on_mnist(session, "AdaRad", {"AdaRad-M", {"optimizer", "adarad-m"}, "adarad-m"}, adarad_m_page);
}

void judge_adarad_m(const Session& session, const StoredEntry& stored) {
  judge(session, stored, adarad_m_page(stored_sides(stored, colours)));
}

void make_scaling(const Session& session) {
  make_on_mnist(session, "all pixels together",
                {"each pixel by itself", {"scale", "standard"}, "scale-column"}, scaling_page);
}

void judge_scaling(const Session& session, const StoredEntry& stored) {
  judge(session, stored, scaling_page(stored_sides(stored, colours)));
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
  EntryPage page = capnorm_page(on_mnist, on_convex);
  page.data = {mnist.data, convex.data};
  Svg picture(1120, 380, "test error against size with and without CapNorm on the output layer");
  picture.insert(0, 0, sides_picture("MNIST", on_mnist));
  picture.insert(560, 0, sides_picture("convex", on_convex));
  write_entry(session, page, net_rows(on_mnist + on_convex), picture);
}

void judge_capnorm_output(const Session& session, const StoredEntry& stored) {
  const std::vector<Side> sides = stored_sides(stored, colours);
  judge(session, stored, capnorm_page({sides.at(0), sides.at(1)}, {sides.at(2), sides.at(3)}));
}

}  // namespace coppice::experiments
