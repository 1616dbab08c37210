#include "coppice/exports/onnx_inputs.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <utility>

namespace coppice {

namespace {

using Name = OnnxGraph::Name;

/// A share of the limit beyond which a squashed number is at its limit in float32; its square is still a number.
constexpr float farthest = 1e6F;

/// Raw inputs of one kind, and what they are shifted and scaled by.
struct Group {
  Name tensor;
  std::vector<std::uint32_t> inputs;
  std::vector<float> offset = {};
  std::vector<float> factor = {};
};

std::vector<std::int64_t> as_indices(const std::vector<std::size_t>& places) {
  return {places.begin(), places.end()};
}

class InputBuilder {
 public:
  InputBuilder(OnnxGraph& graph, const LoweredModel& model, const OnnxCells& cells)
      : graph_(graph), model_(model), cells_(cells), live_(model.inputs.size()) {
    for (const LoweredNet& net : model.nets) {
      for (const std::uint32_t input : net.inputs) live_[input] = true;
    }
    // Numbers are all taken, so there is a tensor of inputs unless there are texts alone.
    if (cells.numbers)
      fill_gaps();
    else if (std::ranges::count(live_, true) == 0)
      live_.front() = true;
  }

  OnnxNetInputs build() {
    std::vector<Group> groups;
    if (cells_.numbers) {
      add_values(groups, false);
      add_values(groups, true);
      add_indicators(groups);
    }
    for (const Feature& feature : model_.features) {
      if (feature.part == CellPart::category) add_categories(groups, feature);
    }
    OnnxNetInputs made{.plain = joined_block(groups), .all = {}, .off = off()};
    if (std::optional<Group> bins = add_bins()) {
      const OnnxBlock block = joined_block({*bins});
      OnnxBlock& all = made.all.emplace(made.plain);
      all.tensor = graph_.node("Concat", {all.tensor, block.tensor}, {along_columns_});
      all.inputs.insert(all.inputs.end(), block.inputs.begin(), block.inputs.end());
    }
    return made;
  }

 private:
  const Feature& number(std::size_t place) const { return model_.features[cells_.features[place]]; }

  Name row(std::span<const float> values) { return graph_.constant(values, {1, values.size()}); }

  /// These columns of a tensor of all numbers.
  Name chosen(const Name& all, const std::vector<std::size_t>& places) {
    bool same = places.size() == cells_.features.size();
    for (std::size_t i = 0; i < places.size() && same; ++i) same = places[i] == i;
    if (same) return all;
    return graph_.node("Gather", {all, graph_.constant(as_indices(places), {places.size()})},
                       {along_columns_});
  }

  void fill_gaps() {
    std::vector<float> fills;
    for (const std::size_t feature : cells_.features) fills.push_back(model_.features[feature].fill);
    missing_ = graph_.node("IsNaN", {*cells_.numbers});
    filled_ = graph_.node("Where", {missing_, row(fills), *cells_.numbers});
  }

  /// An infinite number is larger than any.
  std::optional<Name> off() {
    if (!cells_.numbers) return std::nullopt;
    const Name sizes = graph_.node("Abs", {filled_});
    const Name largest = graph_.node("ReduceMax", {sizes},
                                     {{"axes", std::vector<std::int64_t>{1}}, {"keepdims", std::int64_t{1}}});
    return graph_.node("Greater", {largest, graph_.constant(std::numeric_limits<float>::max())});
  }

  /// Scales of inputs as they stand; those that no net looks at are 0 whatever stands there.
  void scale(Group& group, std::uint32_t input, float unit = 1) {
    const InputScale& scale = model_.inputs[input];
    group.inputs.push_back(input);
    group.offset.push_back(scale.offset / unit);
    group.factor.push_back(live_[input] ? scale.factor * unit : 0);
  }

  /// The numbers themselves, or those that are squashed, as shares of their limit.
  void add_values(std::vector<Group>& groups, bool squashed) {
    std::vector<std::size_t> places;
    Group group;
    for (std::size_t i = 0; i < cells_.features.size(); ++i) {
      const Feature& feature = number(i);
      if (feature.squash.used() != squashed) continue;
      places.push_back(i);
      scale(group, static_cast<std::uint32_t>(feature.first_input), squashed ? feature.squash.limit : 1);
    }
    if (places.empty()) return;
    group.tensor = chosen(filled_, places);
    if (squashed) group.tensor = squash(group.tensor, places);
    groups.push_back(std::move(group));
  }

  /// share / sqrt(1 + share^2), where share = (x - median) * factor / limit.
  Name squash(const Name& numbers, const std::vector<std::size_t>& places) {
    std::vector<float> medians;
    std::vector<float> factors;
    for (const std::size_t place : places) {
      const Squash& squash = number(place).squash;
      medians.push_back(squash.median);
      factors.push_back(squash.factor / squash.limit);
    }
    const Name centred = graph_.node("Sub", {numbers, row(medians)});
    const Name far = graph_.node("Mul", {centred, row(factors)});
    const Name share = graph_.node("Clip", {far, graph_.constant(-farthest), graph_.constant(farthest)});
    const Name square = graph_.node("Mul", {share, share});
    const Name root = graph_.node("Sqrt", {graph_.node("Add", {square, graph_.constant(1.0F)})});
    return graph_.node("Div", {share, root});
  }

  void add_indicators(std::vector<Group>& groups) {
    std::vector<std::size_t> places;
    Group group;
    for (std::size_t i = 0; i < cells_.features.size(); ++i) {
      const auto input = static_cast<std::uint32_t>(number(i).first_input + 1);
      if (!number(i).indicator || !live_[input]) continue;
      places.push_back(i);
      scale(group, input);
    }
    if (places.empty()) return;
    group.tensor = as_numbers(chosen(missing_, places));
    groups.push_back(std::move(group));
  }

  Name as_numbers(const Name& truths) {
    return graph_.node("Cast", {truths}, {{"to", static_cast<std::int64_t>(OnnxType::float32)}});
  }

  /// 1 where the text's code is that of the input.
  void add_categories(std::vector<Group>& groups, const Feature& feature) {
    Group group;
    std::vector<std::int64_t> codes;
    for (std::size_t k = 0; k < feature.inputs; ++k) {
      const auto input = static_cast<std::uint32_t>(feature.first_input + k);
      if (!live_[input]) continue;
      codes.push_back(static_cast<std::int64_t>(k));
      scale(group, input);
    }
    if (codes.empty()) return;
    // Texts that have a rank but are no category count as another text.
    const auto other = static_cast<std::int64_t>(feature.categories.size());
    const Name code =
        graph_.node("Min", {cells_.codes[feature.column], graph_.constant(std::span(&other, 1), {})});
    group.tensor = as_numbers(graph_.node("Equal", {code, graph_.constant(codes, {1, codes.size()})}));
    groups.push_back(std::move(group));
  }

  /// What rises from 0 to 1 between two edges.
  std::optional<Group> add_bins() {
    std::vector<std::size_t> places;
    std::vector<float> lows;
    std::vector<float> widths;
    Group group;
    for (std::size_t i = 0; i < cells_.features.size(); ++i) {
      const Feature& feature = number(i);
      for (std::size_t t = 0; t < feature.bins(); ++t) {
        const auto input = static_cast<std::uint32_t>(feature.first_bin() + t);
        if (!live_[input]) continue;
        places.push_back(i);
        lows.push_back(feature.edges[t]);
        widths.push_back(feature.edges[t + 1] - feature.edges[t]);
        scale(group, input);
      }
    }
    if (places.empty()) return std::nullopt;
    const Name above = graph_.node("Sub", {chosen(filled_, places), row(lows)});
    const Name share = graph_.node("Div", {above, row(widths)});
    group.tensor = graph_.node("Clip", {share, graph_.constant(0.0F), graph_.constant(1.0F)});
    return group;
  }

  OnnxBlock joined_block(const std::vector<Group>& groups) {
    OnnxBlock block;
    std::vector<Name> tensors;
    std::vector<float> offset;
    std::vector<float> factor;
    for (const Group& group : groups) {
      tensors.push_back(group.tensor);
      block.inputs.insert(block.inputs.end(), group.inputs.begin(), group.inputs.end());
      offset.insert(offset.end(), group.offset.begin(), group.offset.end());
      factor.insert(factor.end(), group.factor.begin(), group.factor.end());
    }
    const Name raw = tensors.size() == 1 ? tensors.front() : graph_.node("Concat", tensors, {along_columns_});
    block.tensor = graph_.node("Mul", {graph_.node("Sub", {raw, row(offset)}), row(factor)});
    return block;
  }

  OnnxGraph& graph_;
  const LoweredModel& model_;
  const OnnxCells& cells_;
  std::vector<bool> live_;  ///< the inputs that some net looks at
  std::pair<std::string, OnnxSetting> along_columns_{"axis", std::int64_t{1}};
  Name missing_;
  Name filled_;
};

}  // namespace

OnnxNetInputs add_inputs(OnnxGraph& graph, const LoweredModel& model, const OnnxCells& cells) {
  return InputBuilder(graph, model, cells).build();
}

}  // namespace coppice
