#include "coppice/api/variant.h"

#include <algorithm>

namespace coppice {

bool explores(const Options& options) {
  return options.lambdas.empty() && options.fixed_size.empty() && options.layer_lambdas.empty() &&
         !options.max_parameters && !options.max_bytes && !options.warm_start &&
         options.seeds.value_or(1) == 1 && options.effort != Effort::paper;
}

std::vector<Variant> variants_of(const Options& given, const Options& complete, bool bins) {
  const std::size_t usual = complete.hidden_layers.value();
  if (!explores(given)) return {{.hidden_layers = usual, .bins = bins}};
  const bool plain = given.encode.value_or(Encode::automatic) != Encode::bins;
  std::vector<Variant> variants{{.hidden_layers = usual, .bins = !plain}};
  const std::size_t least = given.hidden_layers ? usual : 1;
  const std::size_t most = given.hidden_layers ? usual : 3;
  for (const bool with_bins : {false, true}) {
    if (with_bins ? !bins : !plain) continue;
    for (std::size_t layers = least; layers <= most; ++layers) {
      const Variant variant{.hidden_layers = layers, .bins = with_bins};
      if (variant != variants.front()) variants.push_back(variant);
    }
  }
  return variants;
}

std::size_t builds_on(const std::vector<Variant>& variants, std::size_t variant) {
  Variant simpler = variants[variant];
  if (simpler.hidden_layers == variants.front().hidden_layers) return 0;
  simpler.hidden_layers = variants.front().hidden_layers;
  return static_cast<std::size_t>(std::ranges::find(variants, simpler) - variants.begin());
}

}  // namespace coppice
