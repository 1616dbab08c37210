#pragma once

#include "coppice/api/options.h"

#include <cstddef>
#include <vector>

namespace coppice {

/// What nets of one training differ in beside lambda, seed and rows.
struct Variant {
  std::size_t hidden_layers = 2;
  bool bins = false;  ///< columns of numbers have bins beside them

  bool operator==(const Variant&) const = default;
};

/// Whether the options leave open how many layers and which inputs nets have: tables that are trained by little more
/// than their name. Whoever names lambdas, sizes, a budget, seeds or the paper
/// wants those nets.
bool explores(const Options& options);

/// The variants to compare, given the complete options; the first is trained for every lambda, the others where it was
/// best. `given`: what the user said; `bins`: the inputs have some.
std::vector<Variant> variants_of(const Options& given, const Options& complete, bool bins);

/// Of a variant that has both other layers and other inputs than the first: the one that has other inputs alone. Else 0.
std::size_t builds_on(const std::vector<Variant>& variants, std::size_t variant);

}  // namespace coppice
