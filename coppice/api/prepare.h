#pragma once

#include "coppice/api/options.h"
#include "coppice/api/variant.h"
#include "coppice/data/dataset.h"
#include "coppice/data/encoding.h"
#include "coppice/data/row_splits.h"
#include "coppice/data/summary.h"
#include "coppice/training/trainer.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coppice {

/// A user's tables, encoded.
struct EncodedTables {
  Encoding encoding;
  Dataset train;                      ///< all rows of the table
  std::optional<Dataset> validation;  ///< a table of its own
  std::optional<Dataset> test;        ///< a table of its own

  const Dataset& test_set() const { return test ? *test : train; }
};

/// Which of the inputs, and which of the folds, if there are any, a net has.
struct NetShare {
  bool plain = false;         ///< no bins
  std::size_t fold = 0;       ///< that it validates on
  bool all_rows = false;      ///< it learns from those as well
  std::size_t beginning = 0;  ///< its rows are those of the net whose seed is less by this
};

/// The tables, split.
struct PreparedData : EncodedTables {
  std::optional<EncodedTables> plain;  ///< without bins, if nets with and without are compared
  std::size_t folds = 0;               ///< into which `rows` are divided; 0: a part of them validates
  std::vector<std::uint32_t> fold_of;  ///< of each of `rows`
  std::vector<std::uint32_t>
      rows;  ///< of train: to learn from and, where a share of them validates, to validate on
  std::vector<std::uint32_t> validation_rows;  ///< of train, when they were told by number
  std::vector<std::uint32_t> test_rows;        ///< of train, when they are some of its rows
  double validation_fraction = 0;              ///< of `rows`; 0: a table, or told by number
  std::vector<std::string> notes;              ///< what was found out
  std::vector<std::string> warnings;
  std::vector<Network<float>> warm_starts;  ///< what nets begin as: one for all, or one per seed
  DataSummary summary;                      ///< of the table
  RowSplits splits;                         ///< what rows of the table are split by
  std::uint64_t first_seed = 0;             ///< whose net validates on the first fold
  std::size_t split_validation = 0;         ///< rows that validate it, where a column splits

  /// What a net of this seed begins as; nullptr: random weights.
  const Network<float>* warm_start(std::uint64_t seed) const {
    if (warm_starts.empty()) return nullptr;
    return &warm_starts[warm_starts.size() > 1 ? seed - first_seed : 0];
  }
  /// The rows of the net with this seed.
  NetData net_data(std::uint64_t seed, NetShare share = {}) const;
  const EncodedTables& tables(bool without_bins) const { return without_bins && plain ? *plain : *this; }
  /// Whether some of `rows` validate.
  bool splits_rows() const { return folds > 0 || validation_fraction > 0 || !splits.folds.empty(); }
  // How many rows each net has, whatever its seed; where a column splits, the first net.
  std::size_t train_count() const;
  std::size_t validation_count() const;
  std::size_t test_count() const { return all_test_rows().size(); }

  std::size_t classes() const {
    return encoding.task == Task::classification ? encoding.target.classes.size() : 0;
  }
  /// The rows that the final error is measured on, if any.
  bool has_test() const { return test.has_value() || !test_rows.empty(); }
  /// Those rows of test_set().
  std::vector<std::uint32_t> all_test_rows() const;
  /// Pixels need fewer digits than other numbers.
  bool images() const;
};

struct Prepared {
  PreparedData data;
  Options options;                ///< complete; tables in them have served their purpose and are empty
  std::vector<Variant> variants;  ///< of the nets, the usual one first
  Options lessons;                ///< the options, complete, of a net that an ensemble teaches
};

/// Encodes and splits, and decides what the options leave open. `check` is called between the parts that take long and
/// may throw.
Prepared prepare(
    const Table& table, const Options& given, const std::function<void()>& check = [] {});

}  // namespace coppice
