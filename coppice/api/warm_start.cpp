#include "coppice/api/warm_start.h"

#include "coppice/core/fail.h"
#include "coppice/core/names.h"
#include "coppice/core/text.h"
#include "coppice/model/parts.h"

#include <algorithm>

namespace coppice {

namespace {

/// A setting that the model has settled: it may be left open or say the same.
template <class T>
void settle(std::optional<T>& option, const T& of_model, const char* name, const std::string& text) {
  if (option && *option != of_model)
    fail_option(name, "`{}`: the model of `warm-start` has {}; leave the setting out", name, text);
  option = of_model;
}

}  // namespace

Options settled_by_model(const Options& options) {
  const ModelParts& model = options.warm_start->parts();
  const Network<float>& network = model.network;
  if (model.nets() > 1 && options.seeds.value_or(1) != model.nets()) {
    fail_option(
        "warm-start",
        "`warm-start`: the model averages {0} nets, and a training begins with one, or with `seeds` {0} each "
        "with one of its own; give one of them (of a run: net-N.coppice), a model that was trained with "
        "`ensemble` off, or `seeds`",
        model.nets());
  }
  if (network.norm == Norm::batchnorm || network.norm == Norm::batchnorm_affine) {
    fail_option(
        "warm-start",
        "`warm-start`: the model has norm {}, which does not go with a penalty on the lengths of fan-ins; "
        "begin with a model that has capnorm",
        name_of(network.norm));
  }
  if (!options.ignore.empty() || !options.ids.empty() || !options.categorical.empty()) {
    fail_option("warm-start",
                "`warm-start`: columns are taken as the model takes them; leave `ignore`, `id` and "
                "`categorical` out");
  }
  const Encoding& encoding = model.encoding;
  const std::size_t layers = network.layers.size() - 1;
  Options settled = options;
  settle(settled.target, encoding.target.name, "target",
         fmt::format("target {}", cited(encoding.target.name)));
  settle(settled.task, encoding.task, "task", name_of(encoding.task));
  settle(settled.scale, encoding.scaling, "scale", name_of(encoding.scaling));
  settle(settled.target_transform, encoding.target.transform, "target-transform",
         name_of(encoding.target.transform));
  if (settled.encode == Encode::automatic) settled.encode.reset();
  const Encode encode = encoding.has_bins() ? Encode::bins : Encode::plain;
  settle(settled.encode, encode, "encode", name_of(encode));
  settle(settled.hidden_layers, layers, "hidden-layers", fmt::format("{} hidden layers", layers));
  settle(settled.activation, network.activation, "activation", name_of(network.activation));
  settle(settled.norm, network.norm, "norm", fmt::format("norm {}", name_of(network.norm)));
  settle(settled.output_capnorm, network.output_capnorm, "output-capnorm",
         network.output_capnorm ? "on" : "off");
  settle(settled.kinks, network.kinks, "kinks", fmt::format("kinks {:g}", network.kinks));
  return settled;
}

void refuse_new_classes(const Table& table, const Dataset& data, const Encoding& encoding) {
  const auto unknown = static_cast<std::uint32_t>(encoding.target.classes.size());
  const auto found = std::ranges::find(data.labels, unknown);
  if (found == data.labels.end()) return;
  const auto row = static_cast<std::size_t>(found - data.labels.begin());
  fail_at({.column = encoding.target.name, .row = row},
          "{}: column {} has the class {}, which the model of `warm-start` does not know; leave those rows "
          "out or train "
          "without `warm-start`",
          table.name(), cited(encoding.target.name), cited(table.text(encoding.target.name, row)));
}

}  // namespace coppice
