#pragma once

#include "coppice/report/plot.h"
#include "coppice/report/record.h"

#include <string>
#include <utility>
#include <vector>

namespace coppice {

/// The report while it is put together.
struct Page {
  struct Section {
    std::string id, title, html;
  };
  std::vector<Section> sections;
  Json data = Json::object();     ///< what the page's scripts draw
  std::vector<std::size_t> nets;  ///< those shown in detail, the chosen one first
};

// One per section of the report, in its order. Each adds to the page what the run has to tell.
void add_headline(const RunRecord& run, Page& page);
void add_front(const RunRecord& run, Page& page);
void add_units(const RunRecord& run, Page& page);
void add_learning(const RunRecord& run, Page& page);
void add_lives(const RunRecord& run, Page& page);
void add_lengths(const RunRecord& run, Page& page);
void add_network(const RunRecord& run, Page& page);
void add_confusion(const RunRecord& run, Page& page);
void add_predictions(const RunRecord& run, Page& page);
void add_importance(const RunRecord& run, Page& page);
void add_calibration(const RunRecord& run, Page& page);
void add_nets(const RunRecord& run, Page& page);
void add_data(const RunRecord& run, Page& page);
void add_configuration(const RunRecord& run, Page& page);

/// Where a live chart takes the place of a picture once scripts run. `size`: a class of the style sheet.
std::string chart_html(const std::string& id, const std::string& picture, const std::string& size = "");
/// A paragraph below a chart; escaped.
std::string caption(const std::string& text);
/// The same, one per net shown in detail: the page's script shows the one selected.
std::string captions_per_net(const Page& page, const std::vector<std::string>& texts);
/// Pairs of a class and a text.
std::string legend(const std::vector<std::pair<std::string, std::string>>& entries);
/// A list to select the net with; empty if there is only one.
std::string net_selector(const RunRecord& run, const Page& page);
/// A sentence in place of what analysis.json would tell.
std::string no_analysis();
/// A table from escaped cells.
std::string table_html(const std::vector<std::string>& heading,
                       const std::vector<std::vector<std::string>>& rows,
                       const std::vector<std::string>& row_styles = {});

/// Phases as coloured strips, epochs that were taken back washed out, rewinds as dashed lines. `behind` is drawn
/// before the curves, `before` after them.
void draw_phases_behind(Plot& plot, const NetHistory& history);
void draw_phases_before(Plot& plot, const NetHistory& history);
std::string phase_legend(const NetHistory& history);
/// Class of a phase's colour.
std::string phase_style(const std::string& phase);

/// "first", "second", ... "7th".
std::string ordinal(std::size_t number);
Json curve_json(const Curve& curve);
/// For axes of epochs, errors and other numbers.
NumberText count_labels();
NumberText error_labels(const RunRecord& run);
NumberText number_labels();

}  // namespace coppice
