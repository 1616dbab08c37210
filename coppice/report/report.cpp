#include "coppice/report/report.h"

#include "coppice/core/file.h"
#include "coppice/core/text.h"
#include "coppice/report/page.h"
#include "coppice/report/section.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

namespace coppice {

namespace {

/// More would make the page heavy; the chosen net and the front come first.
constexpr std::size_t most_detailed = 12;

enum class Only { both, classes, numbers };

/// A section: its name in the list of links (none: not listed), which tasks it is for, and what adds it.
struct Part {
  const char* name;
  Only task;
  void (*add)(const RunRecord& run, Page& page);
};

constexpr std::array<Part, 14> parts{{{"", Only::both, add_headline},
                                      {"Front", Only::both, add_front},
                                      {"Layers", Only::both, add_units},
                                      {"Learning", Only::both, add_learning},
                                      {"Lives", Only::both, add_lives},
                                      {"Lengths", Only::both, add_lengths},
                                      {"Network", Only::both, add_network},
                                      {"Mistakes", Only::classes, add_confusion},
                                      {"Predictions", Only::numbers, add_predictions},
                                      {"Inputs", Only::both, add_importance},
                                      {"Calibration", Only::classes, add_calibration},
                                      {"Nets", Only::both, add_nets},
                                      {"Data", Only::both, add_data},
                                      {"Reproduce", Only::both, add_configuration}}};

std::vector<std::size_t> detailed_nets(const RunRecord& run) {
  std::vector<std::size_t> nets(run.nets.size());
  for (std::size_t i = 0; i < nets.size(); ++i) nets[i] = i;
  const auto rank = [&](std::size_t net) { return net == run.chosen ? 0 : run.nets[net].dominated ? 2 : 1; };
  std::ranges::stable_sort(nets, {}, rank);
  nets.resize(std::min(nets.size(), most_detailed));
  return nets;
}

std::string title_of(const RunRecord& run) {
  std::filesystem::path data(text_at(run.config, "data"));
  if (!data.has_filename()) data = data.parent_path();
  return data.filename().string();
}

/// Only scripts with this mark may run, so not even text that slipped through unescaped could. Anything fixed by the
/// page's bytes will do: the page is a file of its own.
std::string mark_of(std::string_view bytes) {
  return fmt::format("coppice{:08x}", checksum(bytes));
}

std::string head(const std::string& title, const std::string& mark) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'nonce-{}'; base-uri 'none'; form-action 'none'\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<meta name=\"color-scheme\" content=\"light dark\"><title>{} - coppice "
      "report</title><style>{}</style></head>",
      mark, escaped(title), page::style);
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
  page.data["chosen"] = run.chosen;
  page.data["classification"] = run.classification;
  page.data["nets"] = Json::object();
  std::vector<std::string> links;
  for (const Part& part : parts) {
    if (part.task == Only::classes && !run.classification) continue;
    if (part.task == Only::numbers && run.classification) continue;
    part.add(run, page);
    if (part.name[0] != 0)
      links.push_back(fmt::format("<a href=\"#{}\">{}</a>", page.sections.back().id, part.name));
  }
  const std::string title = title_of(run);
  const std::string data = script_json(page.data);
  const std::string mark = mark_of(data);
  std::string html = head(title, mark) + body(run, page, title, links);
  html += fmt::format("<script type=\"application/json\" id=\"report-data\">{}</script>\n", data);
  for (const std::string_view script : {page::chart_library, page::script}) {
    html += fmt::format("<script nonce=\"{}\">{}</script>\n", mark, script);
  }
  return html + "</body></html>\n";
}

std::string write_report(const std::string& directory) {
  const std::string path = (std::filesystem::path(directory) / "report.html").string();
  write_file(path, report_html(read_run(directory)));
  return path;
}

}  // namespace coppice
