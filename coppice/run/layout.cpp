#include "coppice/run/layout.h"

#include "coppice/core/fail.h"
#include "coppice/core/file.h"

#include <filesystem>

namespace coppice {

std::string layout::checkpoint(std::size_t net) {
  return fmt::format("{}/net-{}.state", checkpoints, net);
}

std::string layout::net_model(std::size_t net) {
  return fmt::format("net-{}{}", net, model_ending);
}

std::string layout::in(const std::string& directory, std::string_view file) {
  return (std::filesystem::path(directory) / file).string();
}

nlohmann::ordered_json read_json(const std::string& path, std::string_view advice) {
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(read_file(path), nullptr, false);
  if (json.is_discarded()) fail_file("{}: is not valid JSON; {}", path, advice);
  if (!json.is_object()) fail_file("{}: holds no JSON object; {}", path, advice);
  return json;
}

}  // namespace coppice
