#pragma once

#include "coppice/api/options.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace coppice {

/// One setting: a flag of `train`, a key of config files, a field of Options. The list of settings is the only place
/// that knows their names, ranges and help.
template <class Of>
struct Setting {
  std::string name;
  std::string value;  ///< what to give, for help: "X[,Y,...]", "on|off"
  std::string help;
  bool list = false;          ///< takes several values
  bool shapes_result = true;  ///< resuming with another value is refused
  bool takes_file = false;    ///< programs may name a file instead
  std::function<void(Of&, const std::vector<std::string>&)> set;
  std::function<nlohmann::json(const Of&)> get;  ///< null if it is unset
  std::function<void(Of&)> unset;                ///< null where there always is a value
};

/// The settings of Options.
const std::vector<Setting<Options>>& settings();

/// The one of that name, or null.
const Setting<Options>* find_setting(std::string_view name);

/// Fails on values that `set` would have refused: fields take anything.
void check_values(const Options& options);

/// Lists may be given with commas, as several values, or both. A part that holds commas stands in quotes: a,"b,c".
std::vector<std::string> split_commas(const std::vector<std::string>& values);

/// The values of a JSON entry as texts, as a setting takes them.
std::vector<std::string> texts_of(const nlohmann::json& value, bool list);

/// All settings that are set, with their values.
template <class Of>
nlohmann::json settings_json(const std::vector<Setting<Of>>& all, const Of& options) {
  nlohmann::json object = nlohmann::json::object();
  for (const Setting<Of>& setting : all) {
    if (nlohmann::json value = setting.get(options); !value.is_null())
      object[setting.name] = std::move(value);
  }
  return object;
}

}  // namespace coppice
