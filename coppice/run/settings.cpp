#include "coppice/run/settings.h"

#include "coppice/run/effort.h"
#include "coppice/run/setting_builder.h"

#include <algorithm>
#include <cmath>

namespace coppice {

template <>
constexpr std::array<std::string_view, 2> names_of<Keep>{"best", "last"};

namespace {

using nlohmann::json;
using Values = std::vector<std::string>;

/// The largest whole number that every JSON reader takes unharmed, rounded.
constexpr std::size_t largest = 9'000'000'000'000'000;
constexpr double infinity = std::numeric_limits<double>::infinity();

void add_data_settings(SettingBuilder& b, RunOptions& o) {
  b.text("target", o.encoding.target, "COLUMN", "column to predict").set = [&o](const Values& values) {
    o.encoding.target = to_utf8(single("target", values));
  };
  b.names("ignore", o.encoding.ignore, "columns to leave out");
  b.names("id", o.encoding.ids, "columns that name a row: not inputs, passed through by predict");
  b.names("categorical", o.encoding.categorical, "columns to take as categories even if they hold numbers");
  b.choice("task", o.encoding.task, "what to predict: a class or a number");
  b.choice("scale", o.encoding.scaling,
           "inputs: each column, all together, or as they are; auto: images global, tables column");
  b.text("validation", o.validation, "FILE|FRACTION",
         "rows that decide when to stop (default: a sixth of the data)");
  b.text("test", o.test, "FILE|FRACTION", "rows that only the final error is measured on");
  b.whole("seed", o.seed, 0, largest, "names every random number of the run");
}

void add_network_settings(SettingBuilder& b, RunOptions& o) {
  TrainingOptions& t = o.training;
  b.text("warm-start", o.warm_start, "MODEL", "begin with this model's network instead of small random ones");
  b.whole("hidden-layers", t.hidden_layers, 1, 100, "number of hidden layers; their widths are found");
  b.whole("start-units", t.start_units, 1, 100'000, "units of each hidden layer at the start");
  Setting& fixed = b.add("fixed-size", "N[,N,...]",
                         "hidden units per layer of a net that does not grow; with --lambda it shrinks");
  fixed.list = true;
  fixed.set = [&t](const Values& values) {
    std::vector<std::size_t> sizes;
    for (const std::string& text : values) {
      const double value = checked_number("fixed-size", text, 1, 100'000, true);
      if (value != std::floor(value)) fail("--fixed-size {}: must be whole numbers", cited(text));
      sizes.push_back(static_cast<std::size_t>(value));
    }
    if (sizes.empty() || sizes.size() > 100)
      fail("--fixed-size: needs the units of 1 to 100 hidden layers, {} were given", sizes.size());
    t.fixed_size = sizes;
  };
  fixed.get = [&t] { return t.fixed_size.empty() ? json() : json(t.fixed_size); };
  b.choice("norm", t.norm, "normalisation of hidden layers; batch normalisation with --fixed-size only");
  b.choice("activation", t.activation, "nonlinearity",
           ": units come and go as zero units, so the nonlinearity must satisfy s(0) = 0");
  b.on_off("output-capnorm", t.output_capnorm, "CapNorm on the output layer too");
  b.on_off("prior-offset", t.prior_offset, "class scores start from the classes' frequencies");
  Setting& lambda = b.add("lambda", "X[,Y,...]",
                          "strength of the size penalty, one net per value: larger gives smaller nets "
                          "(default: a path of values found from the data)");
  lambda.list = true;
  lambda.set = [&o](const Values& values) {
    o.lambdas.clear();
    for (const std::string& text : values) {
      const double value = checked_number("lambda", text, 0, infinity, false);
      if (std::ranges::count(o.lambdas, value) > 0)
        fail("--lambda {}: is given twice; --seeds trains several nets per value", text);
      o.lambdas.push_back(value);
    }
    if (o.lambdas.empty()) fail("--lambda: needs at least one number above 0");
  };
  lambda.get = [&o] { return o.lambdas.empty() ? json() : json(o.lambdas); };
  b.choice("regularizer", t.regularizer.fan, "whose lengths the penalty sums up");
  b.whole("penalty-power", t.regularizer.power, 1, 2,
          "2: the penalty takes whole units away; 1: single weights");
  Setting& layers = b.add("layer-lambdas", "X[,Y,...]",
                          "factors on lambda, one for the weights of each layer, the output layer's last");
  layers.list = true;
  layers.set = [&t](const Values& values) {
    std::vector<double> factors;
    for (const std::string& text : values)
      factors.push_back(checked_number("layer-lambdas", text, 0, infinity, false));
    t.regularizer.layer_factors = factors;
  };
  layers.get = [&t] {
    return t.regularizer.layer_factors.empty() ? json() : json(t.regularizer.layer_factors);
  };
  b.whole("path", o.path, 2, 100, "lambdas that a path begins with; it goes on at both ends while that pays");
  b.whole("seeds", o.seeds, 1, 10'000, "nets per lambda, with seeds seed, seed+1, ...");
}

void add_choice_settings(SettingBuilder& b, RunOptions& o) {
  b.choice("pick", o.pick,
           "which net is the model: lowest error, smallest within a standard error of it, or where the front "
           "bends")
      .shapes_result = false;
  b.whole("max-parameters", o.budget.parameters, 1, largest, "weights that the model may have");
  b.whole("max-bytes", o.budget.bytes, 1, largest, "bytes that the model file may have");
}

/// Two ways to say how fast fan-ins turn; only one can hold.
void add_angle_settings(SettingBuilder& b, RunOptions& o) {
  TrainingOptions& t = o.training;
  Setting& angle = b.number("angle", t.angle, 0, 3, false,
                            "radians that a fan-in turns by per step (default: from batch size and steps)");
  b.null_at_zero(angle, t.angle);
  angle.set = [&o, set = angle.set](const Values& values) {
    if (o.given.contains("angular-step")) {
      fail("--angle {}: --angular-step is given too, and both say how fast fan-ins turn; give one of them",
           single("angle", values));
    }
    set(values);
  };
  Setting& step = b.number("angular-step", t.angular_step, 0, infinity, false,
                           "alpha_phi: turns fan-ins as in the paper, instead of angle");
  step.get = [&t] { return t.angle > 0 ? json() : json(t.angular_step); };
  step.set = [&o, set = step.set](const Values& values) {
    if (o.given.contains("angle")) {
      fail("--angular-step {}: --angle is given too, and both say how fast fan-ins turn; give one of them",
           single("angular-step", values));
    }
    set(values);
  };
}

void add_training_settings(SettingBuilder& b, RunOptions& o) {
  TrainingOptions& t = o.training;
  b.choice("optimizer", t.optimizer,
           "training algorithm: adarad and adarad-m turn fan-ins, the others take steps");
  b.choice("effort", o.effort,
           "quick: a first answer; normal: as good as paper in a third of the epochs; paper: its protocol to "
           "the letter");
  add_angle_settings(b, o);
  Setting& step = b.number("step", t.step, 0, infinity, false,
                           "step of optimizers without angles (default: 0.001 for rmsprop and adam, 0.1 of a "
                           "batch's mean gradient for others; from unit-lifetime where units come and go)");
  b.null_at_zero(step, t.step);
  b.number("unit-lifetime", t.unit_lifetime, 0, infinity, false, "epochs that a useless new unit lives");
  Setting& radial =
      b.number("radial-step", t.radial_step, 0, infinity, false, "alpha_r; overrides unit-lifetime");
  b.null_at_zero(radial, t.radial_step);
  b.number("add-units", t.add_units, 0, 1e6, true, "units per addition and hidden layer; not whole: Poisson");
  b.number("additions-per-epoch", t.additions_per_epoch, 0, 1e6, false, "how often units are added");
  b.number("mixing-rate", t.mixing_rate, 0, 1, false,
           "beta: share of the new gradient in running means of squares");
  b.number("momentum-rate", t.momentum_rate, 0, 1, false,
           "share of the new gradient in running means of gradients (adarad-m, momentum, nesterov, adam)");
  b.number("epsilon", t.epsilon, 0, infinity, false, "keeps a division finite");
  Setting& batch =
      b.whole("batch-size", t.batch_size, 2, largest, "rows per step (default: 1000, less for small data)");
  b.null_at_zero(batch, t.batch_size);
  Setting& grow = b.whole("grow-epochs", t.grow_epochs, 1, largest,
                          "units are added for so many epochs (default: until patience ends it)");
  b.null_at_zero(grow, t.grow_epochs);
  b.number("patience", t.patience, 0, infinity, false,
           "epochs without a better validation error that end a phase");
  b.number("settle-epochs", t.settle_epochs, 0, infinity, false,
           "epochs that settle, the phase in which redundant units die out, lasts at most");
  b.number("fine-patience", t.fine_patience, 0, infinity, false, "the same while the step is annealed");
  b.whole("max-epochs", t.max_epochs, 1, largest, "stop each net after so many epochs");
  b.whole("max-steps", t.max_steps, 0, largest,
          "stop each net after so many iterations; 0 writes the initial net");
  b.choice("precision", t.precision,
           "rounding of matrix products; auto: tf32 on GPUs; on processors bf16 for images if they have it, "
           "else fp32");
  b.choice("keep", t.keep, "which state of a net that was stopped is written");
}

void add_run_settings(SettingBuilder& b, RunOptions& o) {
  b.number("time-limit", o.time_limit, 0, infinity, false, "seconds; then every net's kept state is written")
      .shapes_result = false;
  b.choice("device", o.device, "where to compute; auto: on an NVIDIA GPU if there is one").shapes_result =
      false;
  Setting& threads =
      b.whole("threads", o.threads, 1, 1024, "processor threads (default: all); results do not depend on it");
  threads.shapes_result = false;
  b.null_at_zero(threads, o.threads);
  b.whole("checkpoint-every", o.checkpoint_every, 1, largest, "epochs of each net between checkpoints")
      .shapes_result = false;
}

/// Notes that the setting was set. What the effort is still to fill in has no value yet.
void remember_given(Setting& setting, RunOptions& options) {
  setting.set = [&options, name = setting.name, set = setting.set](const Values& values) {
    set(values);
    options.given.insert(name);
    options.filled.erase(name);
  };
  if (!set_by_effort(setting.name)) return;
  setting.get = [&options, name = setting.name, get = setting.get] {
    return options.fitted || options.given.contains(name) ? get() : json();
  };
}

/// Whether the value in the configuration is one that its effort filled in.
bool was_filled_in(const std::string& name, const json& config) {
  return set_by_effort(name) && config.contains("given") &&
         std::ranges::count(config["given"], json(name)) == 0;
}

/// Whether a flag takes the place of a configuration's setting of this name.
bool replaced(const std::string& name, const json& config, const std::vector<std::string>& overridden) {
  const auto is_flag = [&](const char* flag) { return std::ranges::count(overridden, flag) > 0; };
  if (std::ranges::count(overridden, name) > 0) return true;
  if ((name == "angle" || name == "angular-step") && (is_flag("angle") || is_flag("angular-step")))
    return true;
  return is_flag("effort") && was_filled_in(name, config);
}

Values values_of(const json& value) {
  const auto text = [](const json& v) {
    if (v.is_boolean()) return std::string(v.get<bool>() ? "on" : "off");
    return v.is_string() ? v.get<std::string>() : v.dump();
  };
  if (!value.is_array()) return {text(value)};
  Values values;
  for (const json& entry : value) values.push_back(text(entry));
  return values;
}

}  // namespace

Values split_commas(const Values& values) {
  Values parts;
  for (const std::string& value : values) {
    std::size_t at = 0;
    while (at <= value.size()) {
      const std::size_t comma = std::min(value.find(',', at), value.size());
      if (comma > at) parts.push_back(value.substr(at, comma - at));
      at = comma + 1;
    }
  }
  return parts;
}

std::vector<Setting> settings_of(RunOptions& options) {
  SettingBuilder builder;
  add_data_settings(builder, options);
  add_network_settings(builder, options);
  add_choice_settings(builder, options);
  add_training_settings(builder, options);
  add_run_settings(builder, options);
  for (Setting& setting : builder.all) remember_given(setting, options);
  return std::move(builder.all);
}

json settings_json(RunOptions& options) {
  json object = json::object();
  for (const Setting& setting : settings_of(options)) object[setting.name] = setting.get();
  return object;
}

json given_json(const RunOptions& options) {
  json names = json::array();
  for (const std::string& name : options.given) {
    if (set_by_effort(name) && !options.filled.contains(name)) names.push_back(name);
  }
  return names;
}

void apply_config(RunOptions& options, const json& config, const std::string& file,
                  const std::vector<std::string>& overridden) {
  if (!config.is_object()) fail("{}: a configuration is a JSON object of flag names and values", file);
  const std::vector<Setting> settings = settings_of(options);
  std::vector<std::string> names(settings.size());
  std::ranges::transform(settings, names.begin(), &Setting::name);
  for (const auto& [key, value] : config.items()) {
    std::string name = key;
    std::ranges::replace(name, '_', '-');
    if (name == "data" || name == "version" || name == "checksums" || name == "given") continue;
    const auto found = std::ranges::find(settings, name, &Setting::name);
    if (found == settings.end()) {
      const auto near = nearest(name, names);
      fail("{}: unknown setting {}{}", file, cited(key),
           near ? fmt::format("; did you mean {}?", cited(*near)) : "");
    }
    if (value.is_null() || replaced(name, config, overridden)) continue;
    try {
      const bool commas = found->list && value.is_string();
      found->set(commas ? split_commas({value.get<std::string>()}) : values_of(value));
      if (was_filled_in(name, config)) options.filled.insert(name);
    } catch (const Error& error) {
      fail("{}: {}", file, error.what());
    }
  }
}

}  // namespace coppice
