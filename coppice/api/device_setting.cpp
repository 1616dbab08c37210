#include "coppice/api/device_setting.h"

#include "coppice/api/device.h"

#include <cmath>
#include <string_view>

namespace coppice {

namespace {

constexpr std::string_view prefix = "cuda:";

/// 0, 1 and 1 of "cuda:0,1,1".
std::vector<std::size_t> listed_gpus(const std::string& text) {
  constexpr double most = 1023;
  std::vector<std::size_t> gpus;
  for (std::size_t begin = prefix.size(); begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto gpu = parse_number(text.substr(begin, end - begin));
    if (!gpu || *gpu < 0 || *gpu > most || *gpu != std::floor(*gpu)) {
      fail_option("device", "`device` {}: behind cuda: come numbers of GPUs, such as cuda:0 or cuda:0,1",
                  cited(text));
    }
    gpus.push_back(static_cast<std::size_t>(*gpu));
    begin = end + 1;
  }
  return gpus;
}

}  // namespace

void add_device(SettingBuilder<Options>& builder) {
  Setting<Options>& setting = builder.choice(
      "device", &Options::device,
      "where to compute; auto: on an NVIDIA GPU if there is one; cuda:0,1: on these, which share the nets",
      ", or cuda:0,1", true);
  setting.shapes_result = false;
  setting.value += "|cuda:N,...";
  setting.set = [choose = setting.set](Options& options, const std::vector<std::string>& values) {
    const std::string& text = single("device", values);
    options.gpus.clear();
    if (!text.starts_with(prefix)) return choose(options, values);
    options.gpus = listed_gpus(text);
    options.device = Device::cuda;
  };
  setting.get = [](const Options& options) {
    if (!options.device) return nlohmann::json();
    return nlohmann::json(std::string(name_of(*options.device)) + gpus_text(options.gpus));
  };
  setting.unset = [](Options& options) {
    options.device.reset();
    options.gpus.clear();
  };
}

}  // namespace coppice
