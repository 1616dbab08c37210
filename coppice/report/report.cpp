#include "coppice/report/report.h"

#include "coppice/core/file.h"
#include "coppice/core/text.h"
#include "coppice/report/page.h"
#include "coppice/report/section.h"
#include "coppice/run/layout.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

namespace coppice {

namespace {

/// More would make the page heavy; the chosen net and the front come first.
constexpr std::size_t most_detailed = 12;

/// A section: its name in the list of links (none: not listed), which task alone it is for, and what adds it.
struct Part {
  const char* name;
  std::optional<Task> task;
  void (*add)(const RunRecord& run, Page& page);
};

constexpr std::array<Part, 14> parts{{{"", {}, add_headline},
                                      {"Front", {}, add_front},
                                      {"Layers", {}, add_units},
                                      {"Learning", {}, add_learning},
                                      {"Lives", {}, add_lives},
                                      {"Lengths", {}, add_lengths},
                                      {"Network", {}, add_network},
                                      {"Mistakes", Task::classification, add_confusion},
                                      {"Predictions", Task::regression, add_predictions},
                                      {"Inputs", {}, add_importance},
                                      {"Calibration", Task::classification, add_calibration},
                                      {"Nets", {}, add_nets},
                                      {"Data", {}, add_data},
                                      {"Reproduce", {}, add_configuration}}};

std::vector<std::size_t> detailed_nets(const RunRecord& run) {
  std::vector<std::size_t> nets(run.nets.size());
  for (std::size_t i = 0; i < nets.size(); ++i) nets[i] = i;
  const auto rank = [&](std::size_t net) { return net == run.chosen ? 0 : run.nets[net].dominated ? 2 : 1; };
  std::ranges::stable_sort(nets, {}, rank);
  nets.resize(std::min(nets.size(), most_detailed));
  return nets;
}

std::string title_of(const RunRecord& run) {
  if (run.in_memory()) return "a table in memory";
  std::filesystem::path data(text_at(run.config, "data"));
  if (!data.has_filename()) data = data.parent_path();
  return data.filename().string();
}

/// The page's own script may run, named by its hash, and no other: not even text that slipped through unescaped could.
std::string head(const std::string& title) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'sha256-{}'; base-uri 'none'; form-action 'none'\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<meta name=\"color-scheme\" content=\"light dark\"><title>{} - coppice "
      "report</title><style>{}</style></head>",
      page::script_hash, escaped(title), page::style);
}

std::string body(const RunRecord& run, const Page& page, const std::string& title,
                 const std::vector<std::string>& links) {
  std::string html =
      fmt::format("<body><header><p class=\"brand\">coppice report</p><h1>{}</h1>", escaped(title));
  html += fmt::format("<nav>{}</nav></header><main>", joined(links, ""));
  for (const Page::Section& section : page.sections) {
    html += fmt::format("<section id=\"{}\">", section.id);
    if (!section.title.empty()) html += fmt::format("<h2>{}</h2>", section.title);
    html += section.html + "</section>\n";
  }
  return html + fmt::format("</main><footer>Made by coppice {} from {}</footer>",
                            escaped(text_at(run.summary, "version")), escaped(run.directory));
}

}  // namespace

std::string report_html(const RunRecord& run) {
  Page page;
  page.nets = detailed_nets(run);
  std::vector<std::string> links;
  for (const Part& part : parts) {
    if (part.task && *part.task != run.task) continue;
    part.add(run, page);
    if (part.name[0] != 0)
      links.push_back(fmt::format("<a href=\"#{}\">{}</a>", page.sections.back().id, part.name));
  }
  const std::string title = title_of(run);
  return head(title) + body(run, page, title, links) +
         fmt::format("<script>{}</script>\n</body></html>\n", page::script);
}

std::string write_report(const std::string& directory) {
  const std::string path = layout::in(directory, layout::report);
  write_file(path, report_html(read_run(directory)));
  return path;
}

}  // namespace coppice
