#pragma once

#include "coppice/api/options.h"
#include "coppice/data/dataset.h"
#include "coppice/data/encoding.h"
#include "coppice/data/summary.h"
#include "coppice/training/trainer.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coppice {

/// A user's tables, encoded and split.
struct PreparedData {
  Encoding encoding;
  Dataset train;                      ///< all rows of the table
  std::optional<Dataset> validation;  ///< a table of its own
  std::optional<Dataset> test;        ///< a table of its own
  std::vector<std::uint32_t>
      rows;  ///< of train: to learn from and, where a share of them validates, to validate on
  std::vector<std::uint32_t> validation_rows;  ///< of train, when they were told by number
  std::vector<std::uint32_t> test_rows;        ///< of train, when they are some of its rows
  double validation_fraction = 0;              ///< of `rows`; 0: a table, or told by number
  std::vector<std::string> notes;              ///< what was found out
  std::vector<std::string> warnings;
  std::optional<Network<float>> warm_start;  ///< what every net begins as
  DataSummary summary;                       ///< of the table

  /// The split of the net with this seed.
  NetData net_data(std::uint64_t seed) const;
  // How many rows each net has, whatever its seed.
  std::size_t train_count() const;
  std::size_t validation_count() const;
  std::size_t test_count() const { return all_test_rows().size(); }

  std::size_t classes() const {
    return encoding.task == Task::classification ? encoding.target.classes.size() : 0;
  }
  /// The rows that the final error is measured on, if any.
  bool has_test() const { return test.has_value() || !test_rows.empty(); }
  const Dataset& test_set() const { return test ? *test : train; }
  /// Those rows of test_set().
  std::vector<std::uint32_t> all_test_rows() const;
  /// Pixels need fewer digits than other numbers.
  bool images() const;
};

struct Prepared {
  PreparedData data;
  Options options;  ///< complete; tables in them have served their purpose and are empty
};

/// Encodes and splits, and decides what the options leave open. `check` is called between the parts that take long and
/// may throw.
Prepared prepare(
    const Table& table, const Options& given, const std::function<void()>& check = [] {});

}  // namespace coppice
