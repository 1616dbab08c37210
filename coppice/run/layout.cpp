#include "coppice/run/layout.h"

#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/model/parse_json.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace coppice {

namespace {

/// "net-12.state" for the ending ".state".
bool is_of_net(std::string_view name, std::string_view ending) {
  constexpr std::string_view beginning = "net-";
  if (!name.starts_with(beginning) || !name.ends_with(ending)) return false;
  if (name.size() <= beginning.size() + ending.size()) return false;
  const std::string_view number =
      name.substr(beginning.size(), name.size() - beginning.size() - ending.size());
  return number.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::string layout::checkpoint(std::size_t net) {
  return fmt::format("{}/net-{}{}", checkpoints, net, checkpoint_ending);
}

std::string layout::net_model(std::size_t net) {
  return fmt::format("net-{}{}", net, model_ending);
}

bool layout::is_own(std::string_view name) {
  constexpr std::array<std::string_view, 8> names{config, journal, analysis, report,
                                                  search, results, summary,  model};
  return std::ranges::find(names, name) != names.end() || is_of_net(name, model_ending);
}

bool layout::is_own_checkpoint(std::string_view name) {
  return is_of_net(name, checkpoint_ending);
}

std::string layout::in(const std::string& directory, std::string_view file) {
  return (std::filesystem::path(directory) / file).string();
}

nlohmann::ordered_json read_json(const std::string& path, std::string_view advice) {
  auto parsed = parse_ordered_json(read_file(path));
  if (!parsed.mistake.empty()) fail_file("{}: is not valid JSON: {}; {}", path, parsed.mistake, advice);
  if (!parsed.value.is_object()) fail_file("{}: holds no JSON object; {}", path, advice);
  return std::move(parsed.value);
}

}  // namespace coppice
