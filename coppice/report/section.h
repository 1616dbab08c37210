#pragma once

#include "coppice/report/chart.h"
#include "coppice/report/record.h"

#include <functional>
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

/// A paragraph below a chart; escaped.
std::string caption(const std::string& text);
/// What the marks of a chart mean: a class each and a text. The last word of the class is that of the marks, which the
/// page's script shows and hides with it.
using Legend = std::vector<std::pair<std::string, std::string>>;
std::string legend(const Legend& entries);
/// A list to select the net with (nothing if there is only one), and what `html` makes of each net that is shown in
/// detail: the page shows the one selected, the chosen one at first. `more`: what stands beside the list.
std::string selected_net(const RunRecord& run, const Page& page,
                         const std::function<std::string(std::size_t net)>& html,
                         const std::string& more = {});
/// A sentence in place of what analysis.json would tell.
std::string no_analysis();
/// A table from escaped cells.
std::string table_html(const std::vector<std::string>& heading,
                       const std::vector<std::vector<std::string>>& rows,
                       const std::vector<std::string>& row_styles = {});

/// A chart over a net's epochs: phases as coloured strips, rewinds as dashed lines.
Chart epoch_chart(const NetHistory& history, const std::string& label, const Chart::Axis& y);
/// Epochs that a rewind took back.
void fade_taken_back(Chart& chart, const NetHistory& history);
/// What all that is.
std::string phase_legend(const NetHistory& history);

/// For axes of epochs, errors, shares and other numbers.
NumberText count_labels();
NumberText error_labels(Task task);
NumberText share_labels();
NumberText number_labels();

}  // namespace coppice
