#pragma once

#include "coppice/data/encoding.h"
#include "coppice/device/gpu.h"
#include "coppice/run/front.h"
#include "coppice/training/options.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace coppice {

template <>
constexpr std::array<std::string_view, 2> names_of<Fan>{"fan-in", "fan-out"};
template <>
constexpr std::array<std::string_view, 7> names_of<OptimizerKind>{"adarad",   "adarad-m", "sgd", "momentum",
                                                                  "nesterov", "rmsprop",  "adam"};

/// How much time a run may take: what fills in the settings that were not given.
enum class Effort : std::uint8_t {
  quick,   ///< a first answer
  normal,  ///< as good as the paper's protocol in a third of its epochs
  paper,   ///< the paper's protocol to the letter
};
template <>
constexpr std::array<std::string_view, 3> names_of<Effort>{"quick", "normal", "paper"};

/// Everything a user can say about a run.
struct RunOptions {
  std::string data;
  EncodingOptions encoding;
  std::string validation;  ///< a file, or a fraction of the data; empty: a sixth
  std::string test;  ///< a file, or a fraction of the data; empty: the test part of the data if it has one
  std::uint64_t seed = 0;
  std::string warm_start;       ///< a model to begin with; empty: small random nets
  std::vector<double> lambdas;  ///< empty: a path of them, found from the data
  std::size_t path = 5;         ///< how many lambdas a path begins with
  std::size_t seeds = 1;
  Pick pick = Pick::best;
  Budget budget;
  TrainingOptions training = [] {
    TrainingOptions t;
    t.batch_size = 0;  // chosen from the number of rows
    return t;
  }();
  Effort effort = Effort::normal;
  std::set<std::string> given;   ///< names of the settings that were set; the effort fills in others
  std::set<std::string> filled;  ///< those of them that the effort of a configuration had filled in
  bool fitted = false;           ///< the effort has filled in all others
  double time_limit = std::numeric_limits<double>::infinity();  ///< seconds
  std::optional<Device> device;                                 ///< none: a GPU if there is one
  std::size_t threads = 0;                                      ///< 0: as many as there are
  std::size_t checkpoint_every = 10;                            ///< epochs of each net
};

/// One setting: a flag of `train` and a key of config files. The list of settings is the only place that
/// knows their names, defaults, ranges and help.
struct Setting {
  std::string name;
  std::string value;  ///< what to give, for help: "X[,Y,...]", "on|off"
  std::string help;
  bool list = false;          ///< takes several values
  bool shapes_result = true;  ///< resuming with another value is refused
  std::function<void(const std::vector<std::string>&)> set;
  std::function<nlohmann::json()> get;
};

/// The settings, bound to `options`, which must outlive them. `set` fails with a sentence that names the
/// flag.
std::vector<Setting> settings_of(RunOptions& options);

/// Lists may be given with commas, as several values, or both.
std::vector<std::string> split_commas(const std::vector<std::string>& values);

/// All settings with their values: what config.json holds.
nlohmann::json settings_json(RunOptions& options);

/// Those of the settings that the effort fills in which were given: config.json has them too, so that another
/// effort may take the place of the run's.
nlohmann::json given_json(const RunOptions& options);

/// Sets what a config object holds, except the names in `overridden` (given as flags) and, if the effort is
/// among them, what the object's own effort filled in. Fails on unknown names.
void apply_config(RunOptions& options, const nlohmann::json& config, const std::string& file,
                  const std::vector<std::string>& overridden);

}  // namespace coppice
