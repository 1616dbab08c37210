#include "cli/commands.h"

#include <algorithm>
#include <string>
#include <vector>

namespace coppice::cli {

void add_threads(CLI::App& command, RunOptions& options) {
  const auto set = [&options](const std::vector<std::string>& values) {
    const std::vector<Setting> settings = settings_of(options);
    std::ranges::find(settings, "threads", &Setting::name)->set(values);
  };
  command.add_option_function<std::vector<std::string>>("--threads", set, "processor threads (default: all)")
      ->allow_extra_args(false)
      ->type_name("N");
}

}  // namespace coppice::cli
