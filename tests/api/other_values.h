#pragma once

#include "coppice/api/settings.h"
#include "coppice/model/parts.h"

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace coppice::test {

/// The setting of that name; throws if there is none.
template <class Of>
const Setting<Of>& setting(const std::vector<Setting<Of>>& all, const std::string& name) {
  for (const Setting<Of>& candidate : all) {
    if (candidate.name == name) return candidate;
  }
  throw std::out_of_range("there is no setting " + name);
}

/// Sets one of the settings of Options.
inline void set(Options& options, const std::string& name, const std::vector<std::string>& values) {
  setting(settings(), name).set(options, values);
}

/// Any model.
inline Model a_model() {
  ModelParts parts;
  parts.network.layers.resize(2);
  return Model(parts);
}

/// For every setting that a text can tell, a value that is not its default, as it is shown.
inline const std::map<std::string, std::vector<std::string>>& other_values() {
  static const std::map<std::string, std::vector<std::string>> values{
      {"target", {"price"}},
      {"ignore", {"a", "b"}},
      {"id", {"key"}},
      {"categorical", {"zip"}},
      {"weight", {"copies"}},
      {"class-weights", {"yes=5", "no=0.5"}},
      {"task", {"regression"}},
      {"scale", {"none"}},
      {"encode", {"bins"}},
      {"target-transform", {"log"}},
      {"ensemble", {"7"}},
      {"distil", {"on"}},
      {"refit", {"on"}},
      {"validation", {"0.25"}},
      {"test", {"0.125"}},
      {"group", {"patient"}},
      {"time", {"when"}},
      {"fold", {"part"}},
      {"seed", {"123456789012"}},
      {"hidden-layers", {"4"}},
      {"start-units", {"7"}},
      {"fixed-size", {"186", "43"}},
      {"norm", {"batchnorm-affine"}},
      {"activation", {"leaky-relu"}},
      {"output-capnorm", {"off"}},
      {"capped-batchnorm", {"on"}},
      {"kinks", {"0.5"}},
      {"kink-step", {"0.3"}},
      {"output-scale-step", {"0.7"}},
      {"capnorm-rows", {"500"}},
      {"prior-offset", {"off"}},
      {"lambda", {"0.001", "0.00012345678901234567"}},
      {"seeds", {"3"}},
      {"repeat", {"4"}},
      {"path", {"9"}},
      {"regularizer", {"fan-out"}},
      {"penalty-power", {"1"}},
      {"layer-lambdas", {"1.0", "0.5", "2.0"}},
      {"metric", {"error"}},
      {"pick", {"knee"}},
      {"max-parameters", {"5000"}},
      {"max-bytes", {"65536"}},
      {"for", {"c-int8"}},
      {"optimizer", {"nesterov"}},
      {"step", {"0.3"}},
      {"momentum-rate", {"0.5"}},
      {"effort", {"quick"}},
      {"angle", {"0.1"}},
      {"angular-step", {"7.5"}},
      {"unit-lifetime", {"2.5"}},
      {"radial-step", {"17.0"}},
      {"add-units", {"0.3"}},
      {"additions-per-epoch", {"10.0"}},
      {"mixing-rate", {"1.0"}},
      {"epsilon", {"1e-12"}},
      {"trust-region", {"2.0"}},
      {"relative-epsilon", {"0.001"}},
      {"relative-shrinkage", {"on"}},
      {"radial-rule", {"exponential"}},
      {"peak-half-life", {"3.0"}},
      {"label-smoothing", {"0.1"}},
      {"batch-size", {"64"}},
      {"grow-epochs", {"20"}},
      {"softenings", {"1"}},
      {"patience", {"10.0"}},
      {"settle-epochs", {"12.5"}},
      {"fine-patience", {"0.5"}},
      {"max-epochs", {"100"}},
      {"max-steps", {"0"}},
      {"time-limit", {"1.5"}},
      {"precision", {"bf16"}},
      {"portable-math", {"on"}},
      {"keep", {"last"}},
      {"device", {"cpu"}},
      {"threads", {"3"}},
      {"rows-over-ranks", {"on"}},
      {"memory", {"2000000"}}};
  return values;
}

}  // namespace coppice::test
