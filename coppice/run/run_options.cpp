#include "coppice/run/run_options.h"

#include "coppice/api/setting_builder.h"

#include <algorithm>

namespace coppice {

namespace {

using nlohmann::json;
using Values = std::vector<std::string>;

/// A setting of Options as one of RunOptions.
Setting<RunOptions> lifted(const Setting<Options>& setting) {
  return {.name = setting.name,
          .value = setting.value,
          .help = setting.help,
          .list = setting.list,
          .shapes_result = setting.shapes_result,
          .takes_file = setting.takes_file,
          .set = [&setting](RunOptions& run, const Values& values) { setting.set(run.options, values); },
          .get = [&setting](const RunOptions& run) { return setting.get(run.options); },
          .unset = [&setting](RunOptions& run) { setting.unset(run.options); }};
}

/// Rows may be told by a file instead of a fraction.
void take_rows_from_file(Setting<RunOptions>& setting, std::string RunOptions::*file,
                         HeldOut Options::*rows) {
  setting.value = "FILE|FRACTION";
  setting.set = [name = setting.name, file, rows, set = setting.set](RunOptions& run, const Values& values) {
    const std::string& text = single(name, values);
    (run.*file).clear();
    run.options.*rows = {};
    if (names_file(text)) {
      run.*file = text;
    } else {
      set(run, values);
    }
  };
  setting.get = [file, get = setting.get](const RunOptions& run) {
    return (run.*file).empty() ? get(run) : json(run.*file);
  };
  setting.unset = [file, rows](RunOptions& run) {
    (run.*file).clear();
    run.options.*rows = {};
  };
}

std::vector<Setting<RunOptions>> make_settings() {
  std::vector<Setting<RunOptions>> all;
  for (const Setting<Options>& setting : settings()) all.push_back(lifted(setting));
  const auto named = [&](const char* name) -> Setting<RunOptions>& {
    return *std::ranges::find(all, name, &Setting<RunOptions>::name);
  };
  take_rows_from_file(named("validation"), &RunOptions::validation, &Options::validation);
  take_rows_from_file(named("test"), &RunOptions::test, &Options::test);
  Setting<RunOptions>& warm = named("warm-start");
  warm.set = [](RunOptions& run, const Values& values) { run.warm_start = single("warm-start", values); };
  warm.get = [](const RunOptions& run) { return run.warm_start.empty() ? json() : json(run.warm_start); };
  warm.unset = [](RunOptions& run) { run.warm_start.clear(); };
  SettingBuilder<RunOptions> own;
  own.whole("checkpoint-every", &RunOptions::checkpoint_every, 1, largest_whole,
            "epochs of each net between checkpoints (default: 10)")
      .shapes_result = false;
  all.push_back(std::move(own.all.front()));
  return all;
}

/// Whether a setting given otherwise takes the place of a configuration's setting of this name.
bool replaced(const std::string& name, const std::vector<std::string>& overridden) {
  const auto is_given = [&](std::string_view other) { return std::ranges::count(overridden, other) > 0; };
  const bool turns = name == "angle" || name == "angular-step";  // two ways to say one thing
  const bool sized = name == "lambda" || name == "path";
  return is_given(name) || (turns && (is_given("angle") || is_given("angular-step"))) ||
         (sized && (is_given("lambda") || is_given("path")));
}

}  // namespace

const std::vector<Setting<RunOptions>>& run_settings() {
  static const std::vector<Setting<RunOptions>> all = make_settings();
  return all;
}

bool names_file(const std::string& text) {
  return !text.empty() && !parse_number(trim(text));
}

void apply_config(RunOptions& options, const json& config, const std::string& file,
                  const std::vector<std::string>& overridden) {
  if (!config.is_object())
    fail_file("{}: a configuration is a JSON object of setting names and values", file);
  for (const auto& [key, value] : config.items()) {
    std::string name = key;
    std::ranges::replace(name, '_', '-');
    if (name == "data" || name == "version" || name == "checksums" || name == "resolved" || name == "kernels")
      continue;
    const auto found = std::ranges::find(run_settings(), name, &Setting<RunOptions>::name);
    if (found == run_settings().end()) {
      std::vector<std::string> names;
      for (const Setting<RunOptions>& setting : run_settings()) names.push_back(setting.name);
      const auto near = nearest(name, names);
      fail_option(name, "{}: unknown setting {}{}", file, cited(key),
                  near ? fmt::format("; did you mean {}?", cited(*near)) : "");
    }
    if (value.is_null() || replaced(name, overridden)) continue;
    try {
      found->set(options, texts_of(value, found->list));
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("{}: {}", file, error.what()), error.place());
    }
  }
}

}  // namespace coppice
