#include "coppice/api/choose.h"
#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/core/names.h"
#include "coppice/core/text.h"
#include "coppice/exports/footprint.h"
#include "coppice/exports/latency.h"
#include "coppice/model/model_json.h"
#include "coppice/model/parts.h"
#include "coppice/run/layout.h"
#include "coppice/run/model_file.h"
#include "coppice/run/run.h"
#include "coppice/run/summary.h"

#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/results.h"
#include "cli/streams.h"
#include "cli/terminal/table.h"

#include <cmath>
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace coppice::cli {

namespace {

namespace fs = std::filesystem;

std::string error_words(const Model& model, double error) {
  const bool of_variance = model.task() == Task::regression && std::isfinite(error);
  return error_text(model.task(), error) + (of_variance ? " of the target's variance" : "");
}

void print_weights(const ModelNet& model) {
  for (std::size_t l = 0; l < model.network.layers.size(); ++l) {
    const Matrix<float>& weights = model.network.layers[l].weights;
    const Matrix<float>& affine = model.network.layers[l].affine;
    fmt::print("\nlayer {}: one line per unit: mean, divisor, {}fan-in\n", l + 1,
               affine.empty() ? "" : "scale, shift, ");
    for (std::size_t j = 0; j < weights.rows(); ++j) {
      fmt::print("{:.6g} {:.6g}", model.statistics.mean[l][j], model.statistics.divisor[l][j]);
      if (!affine.empty()) fmt::print(" {:.6g} {:.6g}", affine(j, 0), affine(j, 1));
      for (const float weight : weights.row(j)) fmt::print(" {:.6g}", weight);
      fmt::print("\n");
    }
  }
}

std::string bins_text(const Encoding& encoding) {
  std::size_t columns = 0;
  std::size_t bins = 0;
  for (const InputColumn& column : encoding.columns) {
    columns += column.bins() > 0 ? 1 : 0;
    bins += column.bins();
  }
  return fmt::format("{} beside {} column{} of numbers", bins, columns, columns == 1 ? "" : "s");
}

std::vector<std::size_t> sizes_of(const Model& model, std::size_t net) {
  const Network<float>& network = model.parts().net(net).network;
  std::vector<std::size_t> sizes = network.hidden_units();
  sizes.insert(sizes.begin(), network.inputs());
  sizes.push_back(network.outputs());
  return sizes;
}

void print_model(const Model& model, const std::string& path, bool weights) {
  const Encoding& encoding = model.parts().encoding;
  const ModelOrigin& origin = model.origin();
  std::vector<std::string> columns;
  for (const ModelColumn& column : model.columns()) columns.push_back(column.name);
  TextTable table({"model", path});
  table.add({"task", name_of(encoding.task)});
  table.add({"target", encoding.target.name});
  if (encoding.task == Task::classification) {
    table.add(
        {"classes", fmt::format("{}: {}", encoding.target.classes.size(), listed(encoding.target.classes))});
  } else {
    table.add({"target values",
               fmt::format("mean {:.6g}, deviation {:.6g}", encoding.target.mean, encoding.target.deviation) +
                   (encoding.target.transform == TargetTransform::log ? ", of logarithms" : "")});
  }
  table.add({"columns", fmt::format("{}: {}", columns.size(), listed(columns, 10))});
  if (!encoding.ids.empty()) table.add({"id columns", listed(encoding.ids)});
  table.add({"scaling", name_of(encoding.scaling)});
  for (const Derived& derived : encoding.derived) {
    table.add({"made of " + derived.source,
               derived.kind == DerivedKind::rank ? joined(derived.order, " < ") : listed(derived.names())});
  }
  if (encoding.has_bins()) table.add({"bins", bins_text(encoding)});
  for (std::size_t n = 0; n < model.nets(); ++n)
    table.add({model.nets() == 1 ? "sizes" : fmt::format("net {}", n + 1), size_text(sizes_of(model, n))});
  table.add({"parameters", std::to_string(model.parameters())});
  table.add({"activation", name_of(model.activation())});
  const Norm norm = model.parts().network.norm;
  if (norm != Norm::capnorm) table.add({"norm", name_of(norm)});
  table.add(
      {"trained on", fmt::format("{} rows, validated on {}", origin.train_rows, origin.validation_rows)});
  table.add({"trained by",
             fmt::format("{}, lambda {:g}, seed {}, {} epochs, protocol {}", origin.optimizer, origin.lambda,
                         origin.seed, origin.epochs,
                         origin.phase == "done" ? "to its end" : "stopped in phase " + origin.phase)});
  table.add(
      {"train loss", std::isfinite(origin.train_loss) ? fmt::format("{:.4f}", origin.train_loss) : "-"});
  table.add({"validation error", error_words(model, origin.validation_error)});
  if (origin.test_error) table.add({"test error", error_words(model, *origin.test_error)});
  if (encoding.task == Task::classification)
    table.add({"temperature", fmt::format("{:.4g}", model.temperature())});
  const std::size_t held_out = model.parts().conformity.rows;
  table.add({"intervals", held_out == 0 ? "none"
                                        : fmt::format("from {} rows, for up to {:.4g} of new ones", held_out,
                                                      model.highest_interval())});
  table.add({"made with", "coppice " + origin.version});
  if (const auto taken = footprint(model)) {
    table.add({"as a C header", fmt::format("{} bytes of flash, {} of RAM, {} multiplications per row",
                                            taken->flash, taken->ram, taken->multiplications)});
    table.add({"in 8 bits", fmt::format("{} bytes of flash, {} of RAM", taken->int8_flash, taken->int8_ram)});
  }
  table.add({"latency", fmt::format("{:.3g} microseconds for a row that is predicted alone, on this machine",
                                    row_latency(model))});
  show("{}", table.text());
  for (std::size_t n = 0; weights && n < model.nets(); ++n) {
    if (model.nets() > 1) show("\nnet {}\n", n + 1);
    print_weights(model.parts().net(n));
  }
}

nlohmann::ordered_json footprint_json(const Footprint& taken) {
  return {{"flash", taken.flash},
          {"ram", taken.ram},
          {"int8_flash", taken.int8_flash},
          {"int8_ram", taken.int8_ram},
          {"multiplications", taken.multiplications}};
}

/// Whether the path is the directory of a finished run, all of whose nets can be shown.
bool holds_summary(const std::string& path) {
  return fs::exists(layout::in(path, layout::summary)) && !fs::exists(layout::in(path, layout::search));
}

int inspect_run(const std::string& directory, bool json) {
  const std::string path = layout::in(directory, layout::summary);
  const nlohmann::ordered_json value = read_json(path);
  const Summary summary = parse_summary(value, path);
  if (json) {
    show_json(value.dump(2));
  } else {
    show("{}{}{}{}\ntrained in {} on {} threads; {}\n", results_table(summary), base_rate_line(summary),
         points_table(summary), repetitions_line(summary), duration_text(summary.seconds), summary.threads,
         summary.chosen ? "model " + layout::in(directory, layout::model)
                        : with_dashes(nothing_fits(summary)));
  }
  return 0;
}

}  // namespace

Action add_inspect(CLI::App& app) {
  struct Arguments {
    std::string path;
    bool json = false;
    bool weights = false;
    bool latency = false;
  };
  CLI::App* command = app.add_subcommand("inspect", "what a model or run is and how it was made");
  auto arguments = std::make_shared<Arguments>();
  command
      ->add_option("MODEL|RUN", arguments->path,
                   "model file, or the directory of a run (all its nets) or a search (its model)")
      ->required();
  command->add_flag("--json", arguments->json, "print as JSON");
  command->add_flag("--weights", arguments->weights,
                    "print weights as trained and CapNorm's numbers too; of a run: its best model's");
  command->add_flag("--latency", arguments->latency,
                    "JSON: measure microseconds per row on this machine too; of a run: its best model's");
  return [arguments] {
    if (!arguments->weights && !arguments->latency && holds_summary(arguments->path))
      return inspect_run(arguments->path, arguments->json);
    arguments->path = model_file(arguments->path);
    const Model model = Model::load(arguments->path);
    if (arguments->json) {
      nlohmann::ordered_json json = model_json(model, arguments->weights);
      if (const auto taken = footprint(model)) json["c_header"] = footprint_json(*taken);
      if (arguments->latency) json["latency_us"] = row_latency(model);
      show_json(json.dump(arguments->weights ? -1 : 2));
    } else {
      print_model(model, arguments->path, arguments->weights);
    }
    return 0;
  };
}

}  // namespace coppice::cli
