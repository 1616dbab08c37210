#include "coppice/exports/lowered.h"

#include "coppice/model/folding.h"
#include "coppice/model/parts.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace coppice {

namespace {

/// What a column that was made of another one is, as its name says.
CellPart part_of(const Derived& derived, const std::string& name) {
  if (derived.kind == DerivedKind::rank) return CellPart::rank;
  const std::string part = name.substr(derived.source.size() + 1);
  return from_name<CellPart>(part).value();
}

/// Tells which columns of the table the inputs are made of; each is looked up, so that many take no longer than few.
class RawColumns {
 public:
  RawColumns(const Encoding& encoding, std::vector<RawColumn>& columns) : columns_(columns) {
    for (const Derived& derived : encoding.derived) {
      for (const std::string& name : derived.names()) made_.emplace(name, &derived);
    }
  }

  /// What the column is made of, if it is made of another one.
  const Derived* origin_of(const std::string& name) const {
    const auto found = made_.find(name);
    return found == made_.end() ? nullptr : found->second;
  }

  /// The place of a raw column, which is added if it is new.
  std::size_t place(RawColumn wanted) {
    const auto [found, fresh] = places_.emplace(wanted.name, columns_.size());
    if (fresh) columns_.push_back(std::move(wanted));
    return found->second;
  }

 private:
  std::vector<RawColumn>& columns_;
  std::unordered_map<std::string, std::size_t> places_;
  std::unordered_map<std::string, const Derived*> made_;
};

Feature feature_of(const InputColumn& input, RawColumns& columns) {
  Feature feature{.name = input.name,
                  .column = 0,
                  .part = input.kind == ColumnKind::text ? CellPart::category : CellPart::number,
                  .origin = input.base,
                  .words = {},
                  .categories = input.categories,
                  .fill = input.fill,
                  .squash = input.squash,
                  .indicator = input.indicator,
                  .edges = input.edges,
                  .first_input = 0,
                  .inputs = input.width()};
  RawColumn raw{.name = input.name, .kind = input.kind};
  if (const Derived* derived = columns.origin_of(input.name)) {
    raw = {.name = derived->source, .kind = ColumnKind::text};
    feature.part = part_of(*derived, input.name);
    feature.origin = feature.part == CellPart::day ? derived->origin : 0;
    feature.words = derived->order;
  }
  feature.column = columns.place(std::move(raw));
  return feature;
}

/// The inputs that vary and that some unit of the first layer looks at.
std::vector<std::uint32_t> live_inputs(const Matrix<float>& weights, const std::vector<InputScale>& inputs) {
  std::vector<std::uint32_t> live;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    bool seen = false;
    for (std::size_t j = 0; j < weights.rows() && !seen; ++j) seen = weights(j, i) != 0;
    if (seen && inputs[i].factor != 0) live.push_back(static_cast<std::uint32_t>(i));
  }
  return live;
}

LoweredNet lower_net(const FoldedNet& net, const std::vector<InputScale>& inputs) {
  LoweredNet lowered;
  const Network<float>& network = net.network;
  lowered.inputs = live_inputs(network.layers.front().weights, inputs);
  const std::vector<std::size_t> keep(lowered.inputs.begin(), lowered.inputs.end());
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    DenseLayer& layer = lowered.layers.emplace_back();
    layer.weights = network.layers[l].weights;
    if (l == 0) layer.weights.keep_cols(keep);
    layer.activation = network.activation_of(l);
    for (const float mean : net.statistics.mean[l]) layer.bias.push_back(-mean);
  }
  std::vector<float>& last = lowered.layers.back().bias;
  for (std::size_t k = 0; k < network.offset.size(); ++k) last[k] += network.offset[k];
  return lowered;
}

LoweredTarget lower_target(const TargetColumn& target) {
  LoweredTarget lowered{
      .name = target.name, .mean = target.mean, .deviation = target.deviation, .ceiling = {}};
  if (target.transform == TargetTransform::log) lowered.ceiling = target.ceiling();
  return lowered;
}

}  // namespace

std::size_t LoweredNet::multiplications() const {
  std::size_t sum = 0;
  for (const DenseLayer& layer : layers) sum += layer.weights.rows() * layer.weights.cols();
  return sum;
}

std::vector<std::vector<const Feature*>> features_by_column(const LoweredModel& model) {
  std::vector<std::vector<const Feature*>> features(model.columns.size());
  for (const Feature& feature : model.features) features[feature.column].push_back(&feature);
  return features;
}

LoweredModel lower(const Model& model) {
  const Encoding& encoding = model.parts().encoding;
  LoweredModel lowered;
  lowered.task = encoding.task;
  lowered.scaling = encoding.scaling;
  RawColumns raw(encoding, lowered.columns);
  for (const InputColumn& input : encoding.columns) {
    const std::size_t first =
        lowered.features.empty() ? 0 : lowered.features.back().first_input + lowered.features.back().inputs;
    lowered.features.push_back(feature_of(input, raw));
    lowered.features.back().first_input = first;
  }
  std::vector<std::string> names = encoding.input_names();
  for (std::size_t i = 0; i < names.size(); ++i)
    lowered.inputs.push_back({std::move(names[i]), encoding.offset[i], encoding.factor[i]});
  for (const FoldedNet& net : model.folded()) lowered.nets.push_back(lower_net(net, lowered.inputs));
  lowered.classes = encoding.target.classes;
  lowered.temperature = model.temperature();
  lowered.target = lower_target(encoding.target);
  lowered.origin = model.origin();
  return lowered;
}

}  // namespace coppice
