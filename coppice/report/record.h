#pragma once

#include "coppice/report/history.h"
#include "coppice/report/html.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace coppice {

/// A net as summary.json has it. What is not known is NaN.
struct ReportNet {
  std::size_t id = 0;
  double lambda = 0;
  std::uint64_t seed = 0;
  std::vector<std::size_t> hidden_units;
  double parameters = 0;
  double bytes = 0;
  double train_loss = 0;
  double validation_error = 0;
  double standard_error = 0;
  double test_error = 0;
  std::size_t epochs = 0;
  std::string phase;
  bool warm = false;  ///< it began as another net ended
  /// Another net is at most as large and at least as good, and better in one of them.
  bool dominated = false;
};

/// All that a report is made of: what a run directory tells without its data, models and checkpoints.
struct RunRecord {
  std::string directory;
  Json config;
  Json summary;
  Json analysis;  ///< null in runs of versions that did not write it
  std::vector<ReportNet> nets;
  std::vector<NetHistory> histories;  ///< one per net
  std::size_t chosen = 0;             ///< the net that model.coppice is; the best one if none fits
  bool fits = true;                   ///< false: no net keeps the budget, and there is no model.coppice
  bool classification = true;

  const ReportNet& chosen_net() const { return nets[chosen]; }
};

/// Throws an Error that names the file unless the directory holds a finished run.
RunRecord read_run(const std::string& directory);

// What a report shows of a net or an error, in words.
std::string units_text(const ReportNet& net);  ///< "61-11"
std::string net_text(const ReportNet& net);    ///< "lambda 0.001, seed 0: 61-11 units"
/// Errors of classes are shares of rows; those of numbers are shares of the target's variance.
std::string error_text(const RunRecord& run, double error);
std::string end_text(const ReportNet& net);

// Members of JSON objects that may be missing or of another kind.
double number_at(const Json& object, const char* key);
std::string text_at(const Json& object, const char* key);
const Json& member(const Json& object, const char* key);  ///< null if there is none
/// Array elements as numbers, NaN where they are none.
std::vector<double> numbers_at(const Json& object, const char* key);

}  // namespace coppice
