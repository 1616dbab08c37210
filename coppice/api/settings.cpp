#include "coppice/api/settings.h"

#include "coppice/api/class_weights.h"
#include "coppice/api/device_setting.h"
#include "coppice/api/resolve.h"
#include "coppice/api/setting_builder.h"

#include <algorithm>

namespace coppice {

namespace {

using nlohmann::json;
using Values = std::vector<std::string>;
using Builder = SettingBuilder<Options>;
using O = Options;

/// A share of the rows; rows by number and tables cannot be told by a text.
void add_held_out(Builder& b, const std::string& name, HeldOut O::*field, const std::string& help) {
  Setting<O>& setting = b.add(name, "FRACTION", help);
  setting.takes_file = true;
  setting.set = [name, field](O& o, const Values& values) {
    const std::string& text = single(name, values);
    const std::optional<double> share = parse_number(trim(text));
    if (!share || !(*share > 0 && *share < 1))
      fail_option(name, "`{}` {}: a fraction must lie between 0 and 1", name, cited(text));
    o.*field = *share;
  };
  setting.get = [field](const O& o) {
    const double* share = std::get_if<double>(&(o.*field));
    return share != nullptr ? json(*share) : json();
  };
  b.clear(setting, field);
}

void add_ensemble(Builder& b) {
  Setting<O>& setting = b.add("ensemble", "K|auto|off",
                              "nets that answer together, each validated on one of K folds of the rows; "
                              "auto: 5, or 10 of 200 to 5,000 "
                              "rows, for tables of up to 100,000, unless rows to validate on, a budget, "
                              "lambdas, sizes or seeds are given");
  setting.set = [](O& o, const Values& values) {
    const std::string& text = single("ensemble", values);
    const std::optional<double> nets = parse_number(text);
    if (text == "auto")
      o.ensemble.reset();
    else if (text == "off")
      o.ensemble = 1;
    else if (nets)
      o.ensemble = checked_whole("ensemble", text, 2, 1000);
    else
      fail_option("ensemble", "`ensemble` {}: must be auto, off, or a number of nets", cited(text));
  };
  setting.get = [](const O& o) -> json {
    if (!o.ensemble) return nullptr;
    return *o.ensemble == 1 ? json("off") : json(*o.ensemble);
  };
  b.clear(setting, &O::ensemble);
}

/// The name of a column.
void add_column(Builder& b, const std::string& name, std::optional<std::string> O::*field,
                const std::string& help) {
  Setting<O>& setting = b.add(name, "COLUMN", help);
  setting.set = [name, field](O& o, const Values& values) { o.*field = to_utf8(single(name, values)); };
  b.show(setting, field);
}

void add_class_weights(Builder& b) {
  Setting<O>& setting = b.add("class-weights", "balanced|none|NAME=W[,NAME=W,...]",
                              "how much the rows of each class count, beside their own weight; balanced: all "
                              "classes count the same together (default: none)");
  setting.list = true;
  setting.set = [](O& o, const Values& values) {
    const bool word = values.size() == 1 && (values.front() == "balanced" || values.front() == "none");
    if (values.empty()) fail_option("class-weights", "`class-weights`: needs balanced, none or classes");
    Values read;
    for (const std::string& text : values) {
      if (!word) parse_class_weight(text);
      if (text != "none") read.push_back(to_utf8(text));
    }
    o.class_weights = std::move(read);
  };
  b.show(setting, &O::class_weights);
}

void add_data_settings(Builder& b) {
  add_column(b, "target", &O::target, "column to predict");
  b.names("ignore", &O::ignore, "columns to leave out");
  b.names("id", &O::ids, "columns that name a row: not inputs, passed through by predict");
  b.names("categorical", &O::categorical, "columns to take as categories even if they hold numbers");
  Setting<O>& weight =
      b.add("weight", "COLUMN", "column that says how much each row counts, 0 or more; no input");
  weight.set = [](O& o, const Values& values) { o.weight = to_utf8(single("weight", values)); };
  b.show(weight, &O::weight);
  add_class_weights(b);
  b.choice("task", &O::task, "what to predict: a class or a number", "", true);
  b.choice(
      "scale", &O::scale,
      "inputs: each column (numbers squashed, so that none lies far out), each column as the paper would "
      "(standard: mean 0, deviation 1), all together, or as they are; auto: images global, tables column, "
      "with `effort` paper standard",
      "", true);
  b.choice(
      "encode", &O::encode,
      "columns of numbers: one input, or beside it up to eight bins, each rising from one quantile to the "
      "next; auto: both are tried, and validation rows choose; plain where lambdas, sizes, seeds, a budget, "
      "a warm start or `effort` paper are given");
  b.choice(
      "target-transform", &O::target_transform,
      "what is learned of a target of numbers: the numbers, or their logarithms; auto: log for numbers above "
      "0 of which few lie far above the others (not with `effort` paper)",
      "", true);
  add_held_out(b, "validation", &O::validation,
               "rows that decide when to stop (default: a tenth of a table's, a sixth of images)");
  add_ensemble(b);
  b.choice("distil", &O::distil,
           "with `ensemble` off: nets on folds of the rows come first, and the one net learns to answer as "
           "they do together, "
           "on the rows and on others between them; auto: of tables of up to 10,000 rows, unless rows to "
           "validate on, a "
           "budget, lambdas, sizes, seeds, effort quick or `refit` on are given",
           "", true);
  b.choice("refit", &O::refit,
           "in the end the best net, or ensemble, goes on for a few epochs with the rows that validated it; "
           "auto: of tables, "
           "where it has learned much, unless lambdas, sizes, a budget or seeds are given",
           "", true);
  add_held_out(b, "test", &O::test, "rows that only the final error is measured on");
  add_column(b, "group", &O::group,
             "column that groups rows: none of its groups is on both sides of a split");
  add_column(
      b, "time", &O::time,
      "column of times (numbers, ISO dates or times): the last rows validate, and of all rows the last "
      "test if a share is asked for");
  add_column(
      b, "fold", &O::fold,
      "column that names folds: the rows of the first one validate; with `seeds` those of each in turn");
  b.whole("seed", &O::seed, 0, largest_whole, "names every random number of the run");
}

/// A model cannot be told by a text: programs name its file.
void add_warm_start(Builder& b) {
  Setting<O>& setting =
      b.add("warm-start", "MODEL", "begin with this model's network instead of small random ones");
  setting.takes_file = true;
  setting.set = [](O&, const Values&) {
    fail_option("warm-start", "`warm-start`: takes a model, not a text; load it first");
  };
  setting.get = [](const O&) { return json(); };
  b.clear(setting, &O::warm_start);
}

void add_network_settings(Builder& b) {
  add_warm_start(b);
  b.whole("hidden-layers", &O::hidden_layers, 1, 100, "number of hidden layers; their widths are found");
  b.whole("start-units", &O::start_units, 1, 100'000, "units of each hidden layer at the start");
  Setting<O>& fixed = b.add("fixed-size", "N[,N,...]",
                            "hidden units per layer of a net that does not grow; with `lambda` it shrinks");
  fixed.list = true;
  fixed.set = [](O& o, const Values& values) {
    std::vector<std::size_t> sizes;
    for (const std::string& text : values) sizes.push_back(checked_whole("fixed-size", text, 1, 100'000));
    if (sizes.empty() || sizes.size() > 100) {
      fail_option("fixed-size", "`fixed-size`: needs the units of 1 to 100 hidden layers, {} were given",
                  sizes.size());
    }
    o.fixed_size = sizes;
  };
  b.show(fixed, &O::fixed_size);
  b.choice("norm", &O::norm, "normalisation of hidden layers; batch normalisation with `fixed-size` only");
  b.choice("activation", &O::activation, "nonlinearity",
           ": units come and go as zero units, so the nonlinearity must satisfy s(0) = 0");
  b.on_off("output-capnorm", &O::output_capnorm, "CapNorm on the output layer too");
  b.on_off("capped-batchnorm", &O::capped_batchnorm,
           "CapNorm on the output layer of nets with batch normalisation too, for study");
  b.number(
      "kinks", &O::kinks, {.high = 10, .low_included = true},
      "how far the kinks of hidden units are spread around the mean of their input, in its deviations; 0: "
      "all lie at the mean");
  b.number(
      "kink-step", &O::kink_step, {.high = 10, .low_included = true},
      "kinks learn: by how much they move in a step, as a part of the angle that fan-ins turn by; 0: they "
      "stay; not on a GPU");
  b.number(
      "output-scale-step", &O::output_scale_step, {.high = 10, .low_included = true},
      "the outputs have a common factor that learns: by how much its logarithm moves in a step, as a part "
      "of the angle that fan-ins turn by; 0: there is none; not on a GPU");
  b.whole("capnorm-rows", &O::capnorm_rows, 0, largest_whole,
          "rows that CapNorm's statistics reach back over while training, over more than one batch; 0: those "
          "of the "
          "batch; not on a GPU");
  b.on_off("prior-offset", &O::prior_offset, "class scores start from the classes' frequencies");
}

void add_penalty_settings(Builder& b) {
  Setting<O>& lambda = b.numbers("lambda", &O::lambdas,
                                 "strength of the size penalty, one net per value: larger gives smaller nets "
                                 "(default: a path of values found from the data)");
  lambda.set = [set = lambda.set](O& o, const Values& values) {
    O read;
    set(read, values);
    for (const double value : read.lambdas) {
      if (std::ranges::count(read.lambdas, value) > 1)
        fail_option("lambda", "`lambda` {}: is given twice; `seeds` trains several nets per value", value);
    }
    if (read.lambdas.empty()) fail_option("lambda", "`lambda`: needs at least one number above 0");
    o.lambdas = std::move(read.lambdas);
  };
  b.choice("regularizer", &O::regularizer, "whose lengths the penalty sums up");
  b.whole("penalty-power", &O::penalty_power, 1, 2,
          "2: the penalty takes whole units away; 1: single weights");
  b.numbers("layer-lambdas", &O::layer_lambdas,
            "factors on lambda, one for the weights of each layer, the output layer's last");
  b.whole("path", &O::path, 2, 100,
          "lambdas that a path begins with; it goes on at both ends while that pays");
  b.whole("seeds", &O::seeds, 1, 10'000, "nets per lambda, with seeds seed, seed+1, ...");
  b.whole("repeat", &O::repeat, 1, 1000,
          "trainings, each with other seeds and other rows held out for validation and test: median and "
          "range of what "
          "they come to; the first is the model")
      .shapes_result = false;
}

void add_choice_settings(Builder& b) {
  b.choice("metric", &O::metric,
           "what decides when to stop and which net is best: of classes error, log-loss, auc, balanced-error "
           "or f1, of numbers rmse or mae (default: log-loss, error in effort paper; rmse)");
  b.choice("pick", &O::pick,
           "which net is the model: lowest error, smallest within a standard error of it, or where the front "
           "bends")
      .shapes_result = false;
  b.whole("max-parameters", &O::max_parameters, 1, largest_whole, "weights that the model may have");
  b.whole("max-bytes", &O::max_bytes, 1, largest_whole, "bytes that the model file may have");
  b.choice("for", &O::bytes_for,
           "what `max-bytes` counts: the model file, or constants of the C header that it is exported to, in "
           "floats or in 8 bits");
}

void add_step_settings(Builder& b) {
  b.choice("optimizer", &O::optimizer,
           "training algorithm: adarad and adarad-m turn fan-ins, the others take steps");
  b.choice("effort", &O::effort,
           "quick: a first answer; normal: as good as paper in a third of the epochs; paper: its protocol to "
           "the letter");
  b.number("angle", &O::angle, {.high = 3},
           "radians that a fan-in turns by per step (default: from batch size and steps)");
  b.number("angular-step", &O::angular_step, above_zero,
           "alpha_phi: turns fan-ins as in the paper, instead of angle");
  b.number("step", &O::step, above_zero,
           "step of optimizers without angles (default: 0.001 for rmsprop and adam, 0.1 of a "
           "batch's mean gradient for others; from unit-lifetime where units come and go)");
  b.number("unit-lifetime", &O::unit_lifetime, above_zero, "epochs that a useless new unit lives");
  b.number("radial-step", &O::radial_step, above_zero, "alpha_r; overrides unit-lifetime");
  b.number("add-units", &O::add_units, {.high = 1e6, .low_included = true},
           "units per addition and hidden layer; not whole: Poisson");
  b.number("additions-per-epoch", &O::additions_per_epoch, {.high = 1e6}, "how often units are added");
  b.number("mixing-rate", &O::mixing_rate, {.high = 1},
           "beta: share of the new gradient in running means of squares");
  b.number("momentum-rate", &O::momentum_rate, {.high = 1},
           "share of the new gradient in running means of gradients (adarad-m, momentum, nesterov, adam)");
  b.number("epsilon", &O::epsilon, above_zero, "keeps a division finite");
  b.number(
      "trust-region", &O::trust_region, {.high = 1e6, .low_included = true},
      "c: the length of a fan-in is multiplied by no more than c and no less than 1/c in a step, before it "
      "shrinks; 0: by anything");
  b.number(
      "relative-epsilon", &O::relative_epsilon, {.high = 1, .low_included = true},
      "what is added to the size of a unit's angular part before that is normalised, as a share of the net's "
      "largest");
  b.on_off("relative-shrinkage", &O::relative_shrinkage,
           "a fan-in longer than 1 is shortened by a share of its length in a step, as one of length 1 is");
  b.choice(
      "radial-rule", &O::radial_rule,
      "what a radial step makes of a length that the gradient shortens: 1 - alpha_r c of it, which may be "
      "negative, or exp(-alpha_r c)");
  b.number("peak-half-life", &O::peak_half_life, {.high = 1e6, .low_included = true},
           "epochs after which the largest angular part there was, which angular-step goes by, is half "
           "forgotten; 0: never");
  b.number("label-smoothing", &O::label_smoothing, {.high = 1, .low_included = true},
           "of classes: the share of every label that all classes get alike, in training alone");
  b.whole("batch-size", &O::batch_size, 2, largest_whole,
          "rows per step (default: 1000, less for small data)");
}

void add_protocol_settings(Builder& b) {
  b.whole("grow-epochs", &O::grow_epochs, 1, largest_whole,
          "units are added for so many epochs (default: until patience ends it)");
  b.whole("softenings", &O::softenings, 0, 100,
          "times that growing goes on with a third of the step where it has learned nothing (default: 3; 0 "
          "in effort "
          "paper)");
  b.number("patience", &O::patience, above_zero, "epochs without a better validation error that end a phase");
  b.number("settle-epochs", &O::settle_epochs, above_zero,
           "epochs that settle, the phase in which redundant units die out, lasts at most");
  b.number("fine-patience", &O::fine_patience, above_zero, "the same while the step is annealed");
  b.whole("max-epochs", &O::max_epochs, 1, largest_whole, "stop each net after so many epochs");
  b.whole("max-steps", &O::max_steps, 0, largest_whole,
          "stop each net after so many iterations; 0 writes the initial net");
  b.choice("precision", &O::precision,
           "rounding of matrix products; auto: tf32 on GPUs; on processors bf16 for images if they have it, "
           "else fp32",
           "", true);
  b.on_off("portable-math", &O::portable_math,
           "products, sums and functions that round the same on every processor, so that models are the "
           "same bytes everywhere; not on a GPU; images in bf16, whether the processor has it or not "
           "(default: off)");
  b.choice("keep", &O::keep, "which state of a net that was stopped is written");
}

void add_machine_settings(Builder& b) {
  b.number("time-limit", &O::time_limit, above_zero, "seconds; then every net's kept state is written")
      .shapes_result = false;
  add_device(b);
  b.whole("threads", &O::threads, 1, 1024, "processor threads (default: all); results do not depend on it")
      .shapes_result = false;
  b.on_off("rows-over-ranks", &O::rows_over_ranks,
           "the ranks of mpirun, 1, 2, 4 or 8, hold a part of the rows each and pass over every batch "
           "together: for rows "
           "that fit no machine's memory (default: off; then ranks train a net each)");
  b.bytes("memory", &O::memory, 1'000'000,
          "what a training may take, such as 500M or 2G (default: 90 % of the machine's or the container's); "
          "rows beyond half of it lie in a scratch file in TMPDIR or /var/tmp; results do not depend on it")
      .shapes_result = false;
}

std::vector<Setting<O>> make_settings() {
  Builder builder;
  add_data_settings(builder);
  add_network_settings(builder);
  add_penalty_settings(builder);
  add_choice_settings(builder);
  add_step_settings(builder);
  add_protocol_settings(builder);
  add_machine_settings(builder);
  return std::move(builder.all);
}

std::string text_of(const json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// The setting of that name, dashes or underscores in it; fails with the nearest one there is.
const Setting<O>& require_setting(const std::string& name) {
  if (const Setting<O>* setting = find_setting(name)) return *setting;
  std::vector<std::string> names;
  for (const Setting<O>& setting : settings()) names.push_back(setting.name);
  const auto near = nearest(name, names);
  fail_option(name, "there is no setting {}{}", cited(name),
              near ? fmt::format("; did you mean {}?", cited(*near)) : "");
}

}  // namespace

const std::vector<Setting<Options>>& settings() {
  static const std::vector<Setting<O>> all = make_settings();
  return all;
}

const Setting<Options>* find_setting(std::string_view name) {
  std::string dashed(name);
  std::ranges::replace(dashed, '_', '-');
  const auto found = std::ranges::find(settings(), dashed, &Setting<O>::name);
  return found == settings().end() ? nullptr : &*found;
}

void check_values(const Options& options) {
  Options scratch;
  for (const Setting<O>& setting : settings()) {
    if (const json value = setting.get(options); !value.is_null())
      setting.set(scratch, texts_of(value, false));
  }
}

namespace {

/// Where the quote that opens at `at` is closed, right before a comma or the end; npos if it is not.
std::size_t closing_quote(std::string_view value, std::size_t at) {
  while (true) {
    at = value.find('"', at + 1);
    const bool doubled = at != std::string_view::npos && value.substr(at + 1).starts_with('"');
    if (!doubled) break;
    ++at;
  }
  const bool ends = at + 1 >= value.size() || value[at + 1] == ',';
  return ends ? at : std::string_view::npos;
}

std::string without_doubled_quotes(std::string_view text) {
  std::string single;
  for (std::size_t i = 0; i < text.size(); ++i) {
    single += text[i];
    if (text[i] == '"') ++i;
  }
  return single;
}

}  // namespace

Values split_commas(const Values& values) {
  Values parts;
  for (const std::string& value : values) {
    for (std::size_t at = 0; at < value.size();) {
      const std::size_t closed = value[at] == '"' ? closing_quote(value, at) : std::string::npos;
      const bool quoted = closed != std::string::npos;
      const std::size_t end = quoted ? closed + 1 : std::min(value.find(',', at), value.size());
      const std::string_view part = std::string_view(value).substr(at, end - at);
      if (quoted && part.size() > 2) parts.push_back(without_doubled_quotes(part.substr(1, part.size() - 2)));
      if (!quoted && !part.empty()) parts.emplace_back(part);
      at = end + 1;
    }
  }
  return parts;
}

Values texts_of(const json& value, bool list) {
  if (!value.is_array()) return list ? split_commas({text_of(value)}) : Values{text_of(value)};
  Values values;
  for (const json& entry : value) values.push_back(text_of(entry));
  return values;
}

std::vector<SettingInfo> list_settings() {
  const Options standard = standard_options();
  std::vector<SettingInfo> infos;
  for (const Setting<O>& setting : settings()) {
    const json value = setting.get(standard);
    const bool automatic = setting.value.starts_with("auto|");
    infos.push_back(
        {.name = setting.name,
         .value = setting.value,
         .help = setting.help,
         .standard = value.is_null() ? (automatic ? "auto" : "") : joined(texts_of(value, false), ","),
         .list = setting.list});
  }
  return infos;
}

void set_option(Options& options, const std::string& name, const std::vector<std::string>& values) {
  const Setting<O>& setting = require_setting(name);
  if (values.empty()) return setting.unset(options);
  setting.set(options, setting.list ? split_commas(values) : values);
}

std::vector<std::string> get_option(const Options& options, const std::string& name) {
  const json value = require_setting(name).get(options);
  return value.is_null() ? std::vector<std::string>{} : texts_of(value, false);
}

}  // namespace coppice
