#pragma once

#include "coppice/report/chart.h"
#include "coppice/report/record.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace coppice {

// One per section of the report, in its order: what the run has to tell, as HTML; nothing if that would be in an
// analysis.json that is not there.
std::string headline_html(const RunRecord& run);
std::string confusion_html(const RunRecord& run);
std::string curves_html(const RunRecord& run);
std::string predictions_html(const RunRecord& run);
std::string calibration_html(const RunRecord& run);
std::string importance_html(const RunRecord& run);
std::string dependence_html(const RunRecord& run);
std::string whatif_html(const RunRecord& run);
std::string front_html(const RunRecord& run);
std::string units_html(const RunRecord& run);
std::string learning_html(const RunRecord& run);
std::string lives_html(const RunRecord& run);
std::string lengths_html(const RunRecord& run);
std::string network_html(const RunRecord& run);
std::string nets_html(const RunRecord& run);
std::string data_html(const RunRecord& run);
std::string configuration_html(const RunRecord& run);

/// A paragraph below a chart; escaped.
std::string caption(const std::string& text);
/// "0.874"; close to 1, as many digits as tell it from 1.
std::string area_text(double area);
/// A model of one answer that no column changes by as much as is shown: there is nothing to draw.
bool nothing_matters(const RunRecord& run);
/// In place of what the analysis.json of an earlier version did not tell.
std::string not_told();
/// Which rows the analysis looked at: "the 400 test rows", or how the validation rows were answered.
std::string rows_text(const RunRecord& run);
/// What the marks of a chart mean: a class each and a text. The last word of the class is that of the marks, which the
/// page's script shows and hides with it.
using Legend = std::vector<std::pair<std::string, std::string>>;
std::string legend(const Legend& entries);
/// A list to select the net with (nothing if there is only one), and what `html` makes of each net of the list: the page
/// shows the one selected, the chosen one at first. `more`: what stands beside the list.
std::string selected_net(const RunRecord& run, const std::function<std::string(std::size_t net)>& html,
                         const std::string& more = {});
/// A table from escaped cells. On narrow screens one of many columns becomes a list.
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
