#include "experiments/entries.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"

#include <algorithm>

namespace coppice::experiments {

const std::vector<Entry>& all_entries() {
  static const std::vector<Entry> entries{
      {"data", "samples of the generated images", make_data, judge_data, false},
      {"table1", "what a step of each optimizer costs", make_table1, judge_table1, false},
      {"figure3", "test error against size on three data sets", make_figure3, judge_figure3},
      {"figure4", "one training run in detail", make_figure4, judge_figure4},
      {"figure5", "lives of the second layer's units in that run", make_figure5, judge_figure5},
      {"table2", "poker hands", make_table2, judge_table2, false},
      {"adarad-m", "AdaRad-M beside AdaRad", make_adarad_m, judge_adarad_m},
      {"capnorm-output", "CapNorm on the output layer, on and off", make_capnorm_output,
       judge_capnorm_output},
      {"scaling", "pixels scaled together and one by one", make_scaling, judge_scaling},
      {"grid", "every lambda with every angular step: step 1 of the paper's protocol", make_grid, judge_grid,
       false, true},
      {"why", "why nets that size themselves do well: one thing changed at a time", make_why, judge_why,
       false, true, true},
      {"step", "the radial step, as in the paper and kept within limits", make_step, judge_step, false, true,
       true},
      {"angle", "the angle of a step: the default, others, and the one that validation rows choose",
       make_angle, judge_angle, false, true},
      {"settings", "other settings where the paper's do not suit", make_settings, judge_settings, false, true,
       true},
      {"kinks", "kinks of units: at the mean of their input, and spread around it", make_kinks, judge_kinks,
       false, true},
      {"changes", "changes of the method, one at a time and together", make_changes, judge_changes, false,
       true, true},
      {"theory", "Theorem 1, Proposition 1, and gradients where the objective is least", make_theory,
       judge_theory, false},
      {"calibration", "whether probabilities mean what they say", make_calibration, judge_calibration,
       false}};
  return entries;
}

std::vector<Entry> entries_named(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Entry& entry : all_entries()) known.emplace_back(entry.name);
  for (const std::string& name : names) {
    if (name == "all" || std::ranges::count(known, name) > 0) continue;
    fail("{}: there is no such entry; those there are: all, {}", cited(name), listed(known));
  }
  std::vector<Entry> chosen;
  std::ranges::copy_if(all_entries(), std::back_inserter(chosen), [&](const Entry& entry) {
    return std::ranges::count(names, "all") > 0 || std::ranges::count(names, entry.name) > 0;
  });
  return chosen;
}

}  // namespace coppice::experiments
