#include "coppice/core/text.h"
#include "coppice/report/section.h"
#include "coppice/run/layout.h"
#include "coppice/run/run_options.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace coppice {

namespace {

/// As one would type it.
std::string value_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return fmt::format("{}", value.get<double>());
  if (value.is_null()) return "-";
  if (!value.is_array()) return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::vector<std::string> items;
  for (const Json& item : value) items.push_back(value_text(item));
  return joined(items, ",");
}

/// Safe to paste into a shell.
std::string quoted(const std::string& text) {
  const bool plain = !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '/' || c == '.' || c == '-' || c == '_' || c == ',' || c == '+';
  });
  if (plain) return text;
  std::string out;
  for (const char c : text) {
    if (c == '\'') out += "'\\'";
    out += c;
  }
  return fmt::format("'{}'", out);
}

/// Every setting that was given, as flags.
std::string full_command(const RunRecord& run) {
  std::string command = "coppice train " + quoted(text_at(run.config, "data"));
  for (const Setting<RunOptions>& setting : run_settings()) {
    const Json& value = member(run.config, setting.name.c_str());
    if (value.is_null()) continue;
    command += fmt::format(" --{} {}", setting.name, quoted(value_text(value)));
  }
  return command;
}

/// The end of a caption, then what to type.
std::string commands(const RunRecord& run) {
  const std::string config = quoted(layout::in(run.directory, layout::config));
  return "From the run directory:</p>" +
         fmt::format("<pre><code>coppice train --config {} -o again</code></pre>", escaped(config)) +
         "<p class=\"caption\">or without it:</p>" +
         fmt::format("<pre><code>{}</code></pre>", escaped(full_command(run)));
}

std::string settings_table(const RunRecord& run) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, value] : member(run.config, "resolved").items()) {
    const std::string text = value_text(value);
    rows.push_back({escaped(name), text.empty() ? "-" : escaped(text)});
  }
  return "<details><summary>Every setting</summary>" + table_html({"setting", "value"}, rows) + "</details>";
}

std::string facts(const RunRecord& run) {
  std::vector<std::vector<std::string>> rows{
      {"coppice", escaped(text_at(run.summary, "version"))},
      {"trained on", fmt::format("{}, {} thread{}", escaped(text_at(run.summary, "device")),
                                 number_text(number_at(run.summary, "threads")),
                                 number_at(run.summary, "threads") == 1 ? "" : "s")},
      {"time", duration_text(number_at(run.summary, "seconds"))},
      {"data", run.in_memory() ? "a table in memory" : escaped(text_at(run.config, "data"))}};
  const Json& checksums = member(run.config, "checksums");
  if (checksums.is_object()) {
    for (const auto& [name, value] : checksums.items()) {
      rows.push_back({fmt::format("CRC-32 of {}", escaped(name)), escaped(value_text(value))});
    }
  }
  return table_html({"", ""}, rows);
}

}  // namespace

std::string configuration_html(const RunRecord& run) {
  return "<p class=\"caption\">The same data and settings give the same models, byte for byte, with any "
         "number of threads. " +
         (run.in_memory()
              ? "The data was a table in memory: train on it again from the code that made it.</p>"
              : commands(run)) +
         facts(run) + settings_table(run);
}

}  // namespace coppice
