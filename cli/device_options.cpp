#include "coppice/api/device.h"

#include "cli/commands.h"
#include "cli/flags.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace coppice::cli {

void add_setting(CLI::App& command, const std::string& name, Options& options, const std::string& help) {
  const Setting<Options>* setting = find_setting(name);
  const auto set = [setting, &options](const std::vector<std::string>& values) {
    setting->set(options, values);
  };
  one_value_each_time(command.add_option_function<std::vector<std::string>>("--" + name, set, help))
      ->type_name(setting->value);
}

void add_device_options(CLI::App& command, Options& options) {
  for (const char* name : {"threads", "device"})
    add_setting(command, name, options, find_setting(name)->help);
}

}  // namespace coppice::cli
