#include "coppice/core/fail.h"
#include "coppice/search/settings.h"

#include <map>

// Which of train's settings are a search's, too.
namespace coppice {

namespace {

constexpr const char* varied = "a search varies it";
constexpr const char* sizes_itself =
    "belongs to nets that size themselves, and a search has nets of fixed size";
constexpr const char* one_model = "a search keeps the net of the best setting";

/// Those that a search does not take: the reason, and what to do instead.
const std::map<std::string, std::pair<const char*, const char*>>& refused() {
  static const std::map<std::string, std::pair<const char*, const char*>> settings{
      {"optimizer", {varied, "use `optimizers`"}},
      {"norm", {varied, "use `norms`"}},
      {"step", {varied, "use `steps`, or `normalised-steps` for rmsprop and adam"}},
      {"fixed-size", {varied, "use `hidden`"}},
      {"hidden-layers", {"the sizes of `hidden` tell it", "use `hidden`"}},
      {"seeds", {"a search has one seed until the best settings are known", "use `reruns`"}},
      {"repeat", {"a search has one seed until the best settings are known", "use `reruns`"}},
      {"kinks", {"only CapNorm has them, and a search varies the norm", "leave it out"}},
      {"start-units", {sizes_itself, "leave it out"}},
      {"lambda", {sizes_itself, "leave it out"}},
      {"layer-lambdas", {sizes_itself, "leave it out"}},
      {"regularizer", {sizes_itself, "leave it out"}},
      {"penalty-power", {sizes_itself, "leave it out"}},
      {"grow-epochs", {sizes_itself, "leave it out"}},
      {"softenings", {sizes_itself, "leave it out"}},
      {"settle-epochs", {sizes_itself, "leave it out"}},
      {"path", {sizes_itself, "leave it out"}},
      {"unit-lifetime", {sizes_itself, "leave it out"}},
      {"add-units", {sizes_itself, "leave it out"}},
      {"additions-per-epoch", {sizes_itself, "leave it out"}},
      {"angle", {sizes_itself, "leave it out"}},
      {"angular-step", {sizes_itself, "leave it out"}},
      {"radial-step", {sizes_itself, "leave it out"}},
      {"trust-region", {sizes_itself, "leave it out"}},
      {"relative-epsilon", {sizes_itself, "leave it out"}},
      {"relative-shrinkage", {sizes_itself, "leave it out"}},
      {"radial-rule", {sizes_itself, "leave it out"}},
      {"peak-half-life", {sizes_itself, "leave it out"}},
      {"kink-step", {sizes_itself, "leave it out"}},
      {"output-scale-step", {sizes_itself, "leave it out"}},
      {"capnorm-rows", {"only CapNorm remembers rows, and a search varies the norm", "leave it out"}},
      {"warm-start", {"nets of fixed size begin with random weights", "leave it out"}},
      {"ensemble", {one_model, "leave it out"}},
      {"distil", {one_model, "leave it out"}},
      {"rows-over-ranks", {"the ranks of a search train a setting each", "leave it out"}},
      {"refit", {one_model, "leave it out"}},
      {"pick", {one_model, "leave it out"}},
      {"max-parameters", {one_model, "bound the sizes by `hidden`"}},
      {"max-bytes", {one_model, "bound the sizes by `hidden`"}},
      {"for", {one_model, "bound the sizes by `hidden`"}},
      {"time-limit",
       {"a search trains all of its trials", "give fewer, or stop it with Ctrl-C and go on with `resume`"}},
      {"checkpoint-every",
       {"a search keeps results of nets that ended, and no checkpoints", "leave it out"}}};
  return settings;
}

}  // namespace

std::string why_not_shared(const std::string& setting) {
  const auto found = refused().find(setting);
  if (found == refused().end()) return {};
  return fmt::format("`{}`: {}; {}", setting, found->second.first, found->second.second);
}

}  // namespace coppice
