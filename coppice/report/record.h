#pragma once

#include "coppice/model/model.h"
#include "coppice/report/history.h"
#include "coppice/report/html.h"
#include "coppice/run/summary.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace coppice {

/// All that a report is made of: what a run directory tells without its data and checkpoints.
struct RunRecord {
  std::string directory;
  Json config;
  Json summary;
  Json analysis;  ///< null in runs of versions that did not write it
  std::vector<NetResult> nets;
  std::vector<NetHistory> histories;  ///< one per net
  std::size_t chosen = 0;             ///< the net that model.coppice is; the best one if none fits
  bool fits = true;                   ///< false: no net keeps the budget, and there is no model.coppice
  Task task = Task::classification;
  std::optional<BaseRate> base;  ///< of classes
  std::optional<Model>
      model;  ///< the chosen one, of a table; none if its file is not there or cannot be read

  /// The data was a table in memory: no file can be named, and no command trains again.
  bool in_memory() const { return config.contains("data") && config["data"].is_null(); }
  bool classifies() const { return task == Task::classification; }
  const NetResult& chosen_net() const { return nets[chosen]; }
};

/// Throws an Error that names the file unless the directory holds a finished run.
RunRecord read_run(const std::string& directory);

// What a report shows of a net or an error, in words.
std::string units_text(const NetResult& net);   ///< "61-11", of an ensemble "5 nets"
std::string lambda_text(const NetResult& net);  ///< "lambda 0.001" or "fixed size"
std::string net_text(const NetResult& net);     ///< "lambda 0.001, seed 0: 61-11 units"
std::string end_text(const NetResult& net);

// Members of JSON objects that may be missing or of another kind.
double number_at(const Json& object, const char* key);
std::string text_at(const Json& object, const char* key);
const Json& member(const Json& object, const char* key);  ///< null if there is none
/// Array elements as numbers, NaN where they are none.
std::vector<double> numbers_at(const Json& object, const char* key);

}  // namespace coppice
