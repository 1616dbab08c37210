#include "coppice/run/warm_start.h"

#include "coppice/core/error.h"
#include "coppice/core/file.h"
#include "coppice/core/text.h"
#include "coppice/model/names.h"

#include <algorithm>

namespace coppice {

namespace {

/// A setting that the model has settled: it may be left at its default or say the same.
template <class T>
void settle(T& option, const T& standard, const T& of_model, const char* flag, const std::string& model,
            const std::string& text) {
  if (option != standard && option != of_model)
    fail("--{}: the model {} of --warm-start has {}; leave the flag out", flag, model, text);
  option = of_model;
}

}  // namespace

Model model_to_continue(RunOptions& options) {
  const std::string& path = options.warm_start;
  require_file(path, "model");
  Model model = load_model(path);
  const Norm norm = model.network.norm;
  if (norm == Norm::batchnorm || norm == Norm::batchnorm_affine) {
    fail(
        "--warm-start {}: the model has norm {}, which does not go with a penalty on the lengths of fan-ins; "
        "begin with a model that has capnorm",
        path, name_of(norm));
  }
  const Encoding& encoding = model.encoding;
  const EncodingOptions& asked = options.encoding;
  if (!asked.ignore.empty() || !asked.ids.empty() || !asked.categorical.empty()) {
    fail(
        "--warm-start {}: columns are taken as the model takes them; leave --ignore, --id and --categorical "
        "out",
        path);
  }
  const RunOptions standard;
  EncodingOptions& settled = options.encoding;
  settle(settled.target, std::string(), encoding.target.name, "target", path,
         fmt::format("target {}", cited(encoding.target.name)));
  settle(settled.task, {}, std::optional(encoding.task), "task", path, name_of(encoding.task));
  settle(settled.scaling, {}, std::optional(encoding.scaling), "scale", path, name_of(encoding.scaling));
  TrainingOptions& training = options.training;
  const std::size_t layers = model.network.layers.size() - 1;
  settle(training.hidden_layers, standard.training.hidden_layers, layers, "hidden-layers", path,
         fmt::format("{} hidden layers", layers));
  settle(training.activation, standard.training.activation, model.network.activation, "activation", path,
         name_of(model.network.activation));
  settle(training.norm, standard.training.norm, model.network.norm, "norm", path,
         fmt::format("norm {}", name_of(model.network.norm)));
  settle(training.output_capnorm, standard.training.output_capnorm, model.network.output_capnorm,
         "output-capnorm", path, model.network.output_capnorm ? "on" : "off");
  return model;
}

TrainingPlan plan_continuing(const TableProfile& profile, const Encoding& encoding,
                             std::vector<std::string>& warnings) {
  return {.load = plan_loading(profile, encoding, true, warnings),
          .task = encoding.task,
          .target = encoding.target.name};
}

void refuse_new_classes(const Table& table, const Dataset& data, const Encoding& encoding,
                        const RunOptions& options) {
  const auto unknown = static_cast<std::uint32_t>(encoding.target.classes.size());
  const auto found = std::ranges::find(data.labels, unknown);
  if (found == data.labels.end()) return;
  const auto column = std::ranges::find(table.columns, encoding.target.name, &Column::name);
  const std::uint32_t code = column->codes[static_cast<std::size_t>(found - data.labels.begin())];
  fail(
      "{}: column {} has the class {}, which the model {} of --warm-start does not know; leave those rows "
      "out or "
      "train without --warm-start",
      options.data, cited(encoding.target.name), cited(column->values[code]), options.warm_start);
}

}  // namespace coppice
