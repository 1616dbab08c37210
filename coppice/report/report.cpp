#include "coppice/report/report.h"

#include "coppice/core/file.h"
#include "coppice/report/page.h"
#include "coppice/report/section.h"
#include "coppice/run/layout.h"

#include <array>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

namespace coppice {

namespace {

/// A section: its name in the list of links (none: not listed), id and title on the page, which task alone it is for,
/// whether images go without it, and what makes it.
struct Part {
  const char* name;
  const char* id;
  const char* title;
  std::optional<Task> task;
  bool tables;  ///< not for images
  std::string (*html)(const RunRecord& run);
};

constexpr std::array<Part, 17> parts{
    {{"", "headline", "", {}, false, headline_html},
     {"Mistakes", "confusion", "Which classes are mistaken for which", Task::classification, false,
      confusion_html},
     {"Thresholds", "curves", "What is found, and what it costs", Task::classification, false, curves_html},
     {"Predictions", "predictions", "Predicted against actual", Task::regression, false, predictions_html},
     {"Calibration", "calibration", "Are the probabilities honest?", Task::classification, false,
      calibration_html},
     {"Inputs", "importance", "Most influential inputs", {}, false, importance_html},
     {"Effects", "dependence", "What the inputs do", {}, true, dependence_html},
     {"What if", "whatif", "What if", {}, true, whatif_html},
     {"Front", "front", "Size against error", {}, false, front_html},
     {"Layers", "units", "How the layers grew and shrank", {}, false, units_html},
     {"Learning", "learning", "Validation error and training loss", {}, false, learning_html},
     {"Lives", "lives", "The life of every unit", {}, false, lives_html},
     {"Lengths", "lengths", "Fan-in and fan-out of some units", {}, false, lengths_html},
     {"Network", "network", "The final network", {}, false, network_html},
     {"Nets", "nets", "All nets", {}, false, nets_html},
     {"Data", "data", "The data", {}, false, data_html},
     {"Reproduce", "configuration", "How to reproduce it", {}, false, configuration_html}}};

/// In place of what analysis.json would tell.
constexpr const char* no_analysis =
    "<p class=\"empty\">This run has no analysis.json, so this part cannot be shown; train again with this "
    "version to get it.</p>";

std::string page_title(const RunRecord& run) {
  if (run.in_memory()) return "a table in memory";
  std::filesystem::path data(text_at(run.config, "data"));
  if (!data.has_filename()) data = data.parent_path();
  return data.filename().string();
}

/// The page's own script may run, named by its hash, and no other: not even text that slipped through unescaped could.
std::string page_head(const std::string& title) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta "
      "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'sha256-{}'; base-uri 'none'; form-action 'none'\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light "
      "dark\"><title>{} - coppice report</title><style>{}</style></head>",
      page::script_hash, escaped(title), page::style);
}

}  // namespace

std::string report_html(const RunRecord& run) {
  std::string links;
  std::string sections;
  const bool shows_images = member(run.analysis, "image_importance").is_object();
  for (const Part& part : parts) {
    if ((part.task && *part.task != run.task) || (part.tables && shows_images)) continue;
    if (part.name[0] != 0) links += fmt::format("<a href=\"#{}\">{}</a>", part.id, part.name);
    sections += fmt::format("<section id=\"{}\">", part.id);
    if (part.title[0] != 0) sections += fmt::format("<h2>{}</h2>", part.title);
    const std::string html = part.html(run);
    sections += (html.empty() ? no_analysis : html) + "</section>\n";
  }
  const std::string title = page_title(run);
  return page_head(title) +
         fmt::format(
             "<body><header><p class=\"brand\">coppice report</p><h1>{}</h1><nav>{}</nav></header><main>{}",
             escaped(title), links, sections) +
         fmt::format(
             "</main><footer>Made by coppice {} from {}</footer><script>{}</script>\n</body></html>\n",
             escaped(text_at(run.summary, "version")), escaped(run.directory), page::script);
}

std::string write_report(const std::string& directory) {
  const std::string path = layout::in(directory, layout::report);
  write_own_file(path, report_html(read_run(directory)));
  return path;
}

}  // namespace coppice
