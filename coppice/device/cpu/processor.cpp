#include "coppice/device/processor.h"

#include "coppice/core/text.h"

#include <fstream>

namespace coppice {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (line.starts_with("model name") && colon != std::string::npos)
      return std::string(trim(line.substr(colon + 1)));
  }
  return "CPU";
}

}  // namespace coppice
