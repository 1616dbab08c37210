#include "coppice/search/settings.h"

#include "coppice/model/parse_json.h"
#include "coppice/run/run_options.h"

#include "tests/fuzz/check.h"
#include "tests/fuzz/targets.h"

#include <string>

namespace coppice::fuzz {

namespace {

using nlohmann::json;

/// How many trials a space comes to, at most.
std::size_t trials_in(const SearchSpace& space) {
  if (space.kind == SearchKind::random) return space.trials;
  std::size_t steps = space.steps.values.size() + space.normalised_steps.values.size();
  return space.sizes.size() * space.optimizers.size() * space.norms.size() * steps;
}

void read_space(SearchKind kind, const json& object) {
  const auto read = [&](const json& from) {
    SearchSpace space;
    space.kind = kind;
    for (const Setting<SearchSpace>& setting : search_settings(kind)) {
      if (from.contains(setting.name) && !from[setting.name].is_null())
        setting.set(space, texts_of(from[setting.name], setting.list));
    }
    return space;
  };
  SearchSpace space;
  if (!goes_through("`", [&] { space = read(object); })) return;
  const json written = settings_json(search_settings(kind), space);
  require(read(written) == space, "a space that was read is written and read as the same");
  if (trials_in(space) > 2000 || (kind == SearchKind::random && space.layers.empty())) return;
  for (const Trial& trial : trials_of(space, 1)) {
    require(trial.step > 0 && !trial.hidden.empty(), "a trial has a step and hidden layers");
  }
}

}  // namespace

namespace {

/// NAME=VALUE, as flags and Python give it. Its message names a setting, not a file.
void set_by_text(std::string_view bytes) {
  const std::size_t equals = bytes.find('=');
  // To look for similar names takes long where they are long.
  if (equals > 40 || bytes.starts_with('{')) return;
  Options options;
  const std::string setting(bytes.substr(0, equals));
  const bool taken =
      goes_through("", [&] { set_option(options, setting, {std::string(bytes.substr(equals + 1))}); });
  if (taken) get_option(options, setting);
}

}  // namespace

void config(std::string_view bytes) {
  set_by_text(bytes);
  const std::string name = "fuzz.json";
  const json object = parse_json(bytes).value;
  RunOptions options;
  if (!goes_through(name, [&] { apply_config(options, object, name, {}); })) return;
  const json written = settings_json(run_settings(), options);
  RunOptions again;
  apply_config(again, written, name, {});
  require(settings_json(run_settings(), again) == written,
          "a configuration that was read is written and read as the same");
  RunOptions partly;
  apply_config(partly, object, name, {"angle", "lambda"});
}

void search(std::string_view bytes) {
  const json object = parse_json(bytes).value;
  if (!object.is_object()) return;
  read_space(SearchKind::grid, object);
  read_space(SearchKind::random, object);
}

}  // namespace coppice::fuzz
