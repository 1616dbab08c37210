#include "coppice/run/device.h"

#include "cli/commands.h"
#include "cli/flags.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace coppice::cli {

void add_device_options(CLI::App& command, RunOptions& options) {
  for (const Setting& setting : settings_of(options)) {
    if (setting.name != "threads" && setting.name != "device") continue;
    one_value_each_time(
        command.add_option_function<std::vector<std::string>>("--" + setting.name, setting.set, setting.help))
        ->type_name(setting.value);
  }
}

Device device_for(const RunOptions& options) {
  const ChosenDevice chosen = choose_device(options);
  if (chosen.device == Device::cuda) fmt::print(stderr, "{}\n", chosen.text);
  return chosen.device;
}

}  // namespace coppice::cli
