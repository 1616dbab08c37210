#pragma once

#include "coppice/data/dataset.h"
#include "coppice/data/encoding.h"
#include "coppice/data/summary.h"
#include "coppice/run/settings.h"
#include "coppice/training/trainer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace coppice {

/// A user's files, read, encoded and split.
struct PreparedData {
  Encoding encoding;
  Dataset train;                      ///< the rows of the data file
  std::optional<Dataset> validation;  ///< a file of its own
  std::optional<Dataset> test;        ///< a file of its own
  std::vector<std::uint32_t>
      rows;  ///< of train: to learn from and, without a validation file, to validate on
  std::vector<std::uint32_t> test_rows;  ///< of train, when the test rows are a fraction of it
  double validation_fraction = 0;        ///< 0: a file
  std::vector<std::string> notes;        ///< what was found out
  std::vector<std::string> warnings;
  std::optional<Network<float>> warm_start;  ///< what every net begins as
  DataSummary summary;                       ///< of the data file
  nlohmann::json checksums;  ///< of every file read, to tell whether a run resumes with the same data

  /// The split of the net with this seed.
  NetData net_data(std::uint64_t seed) const;
  std::size_t classes() const {
    return encoding.task == Task::classification ? encoding.target.classes.size() : 0;
  }
  /// The rows that the final error is measured on, if any.
  bool has_test() const { return test.has_value() || !test_rows.empty(); }
  const Dataset& test_set() const { return test ? *test : train; }
};

/// CRC-32 of every file that the options name, by role: data, validation, test.
nlohmann::json file_checksums(const RunOptions& options);

/// Reads and encodes the files that the options name and fits batch size and step to the data where the user
/// did not.
PreparedData prepare_data(RunOptions& options);

/// Whether the value of --validation or --test is a file and not a fraction or nothing.
bool names_file(const std::string& text);

/// A file loaded and encoded for a trained model.
struct LoadedData {
  Dataset data;
  std::vector<std::vector<std::string>> ids;  ///< one column each, as texts; missing cells are empty
  std::vector<std::string> id_names;
};
LoadedData load_for(const Encoding& encoding, const std::string& path, bool with_target,
                    std::vector<std::string>& warnings);

}  // namespace coppice
