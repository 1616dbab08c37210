#pragma once

#include "coppice/data/dataset.h"
#include "coppice/network/network.h"
#include "coppice/training/regularizer.h"

#include "experiments/page.h"
#include "experiments/stored.h"

#include <cstdint>
#include <string>
#include <vector>

// What the paper proves, seen on small nets: Theorem 1, Proposition 1, and what holds where the objective has a minimum.
namespace coppice::experiments {

/// Minimises the objective over all rows at once, without normalisation and in double.
struct Minimisation {
  Regularizer regularizer = {};
  double lambda = 0;
  std::vector<std::size_t> hidden = {};
  std::uint64_t seed = 0;
  std::size_t steps = 0;
  Activation activation = Activation::relu;
  bool adarad = false;  ///< by AdaRad with an angle that falls; else by proximal gradient descent
};

/// A fan-in or fan-out (p = 2), or a weight (p = 1), that is not zero, where training ended.
struct Group {
  double length = 0;
  double gradient = 0;  ///< length of the error's gradient, in lambdas of its layer
  double radial = 0;    ///< of its part against the group, in lambdas
};

struct Minimum {
  Network<double> network = {};
  double error = 0;      ///< mean over rows
  double objective = 0;  ///< with the penalty
  double rescaled =
      0;  ///< objective of the net with W_l times its factor, all factors 1: Proposition 1's other net
  std::vector<Group> groups = {};
};

Minimum minimise(const Dataset& data, const Minimisation& how);

/// Rows of csv text whose last column is a class 0, 1, ...
Dataset dataset_of(const Rows& rows);

/// A penalty as pages name it.
struct Penalty {
  std::string name = {};
  Regularizer regularizer = {};
};
/// Those that the program has: p = 2 on fan-ins, on fan-outs; p = 1, which is the same of both.
const std::vector<Penalty>& penalties();

/// A minimisation that ended.
struct TheoryNet {
  std::string part = {};  ///< "theorem", "no penalty", "proposition", "adarad"
  std::string penalty = {};
  std::string lambdas = {};  ///< factors of the layers, "1 1"
  std::size_t width = 0;     ///< of every hidden layer at the start
  std::uint64_t seed = 0;
  std::vector<std::size_t> units = {};
  double error = 0;
  double objective = 0;
  double rescaled = 0;  ///< objective of the net that Proposition 1 says is as good under one lambda
  double near =
      0;  ///< share of its groups whose gradient has the length lambda within 1 % and points against them
  double radial = 0;  ///< share of its groups of which that is so of the radial part, within 10 %
  double groups = 0;
  std::vector<double> histogram =
      {};  ///< groups by the length of their gradient in lambdas (see histogram_edges)
};

/// Edges of the histogram's classes; the first class is below the first edge, the last above the last.
const std::vector<double>& histogram_edges();

TheoryNet summed_up(const std::string& part, const std::string& penalty, const Minimisation& how,
                    const Minimum& minimum);

std::vector<Claim> theory_claims(const std::vector<TheoryNet>& nets);
std::string theory_details(const std::vector<TheoryNet>& nets);
Rows theory_rows(const std::vector<TheoryNet>& nets);
std::vector<TheoryNet> stored_theory(const StoredEntry& stored);
Svg draw_theory(const std::vector<TheoryNet>& nets);

}  // namespace coppice::experiments
