#pragma once

#include "coppice/core/choices.h"
#include "coppice/data/dataset.h"
#include "coppice/data/derived.h"
#include "coppice/data/kinds.h"
#include "coppice/data/reader.h"
#include "coppice/data/row_memory.h"
#include "coppice/data/row_splits.h"
#include "coppice/data/table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace coppice {

/// Whether columns are scaled one by one.
constexpr bool by_column(Scaling scaling) {
  return scaling == Scaling::column || scaling == Scaling::standard;
}

/// How the user wants a table to be taken; empty optionals are found out from the data.
struct EncodingOptions {
  std::string target;  ///< empty: the format's own label column
  std::vector<std::string> ignore;
  std::vector<std::string> ids;
  std::vector<std::string> categorical;
  std::optional<Task> task;
  std::optional<Scaling> scaling;    ///< empty: global for images (idx, amat), else `tables`
  Scaling tables = Scaling::column;  ///< column or standard
  std::optional<TargetTransform> transform =
      std::nullopt;                             ///< of a target of numbers; empty: found from the data
  std::optional<Encode> encode = std::nullopt;  ///< automatic: plain
  SplitColumns split = {};                      ///< columns that are no inputs: rows are split by them
  std::string weight = {};                      ///< column that says how much rows count; empty: none
};

/// z / sqrt(1 + (z / limit)^2) with z = (x - median) * factor: numbers far out come near, to at most `limit`.
struct Squash {
  float median = 0;
  float factor = 0;  ///< 1 / (upper - lower quartile), or 2 / (greatest - least); 0: numbers stay as they are
  float limit = 3;

  bool used() const { return factor != 0; }
  double operator()(float x) const;
};

/// One input column of the user's file and the network inputs made of it.
/// number: its value less the base (missing: `fill`), squashed if it is so; then 0/1 for "was missing" if training had missing cells;
/// then its bins: from one edge to the next an input rises from 0 to 1, below it is 0 and beyond 1.
/// text: one 0/1 input per category, then one for every other value.
struct InputColumn {
  std::string name;
  ColumnKind kind = ColumnKind::number;
  double base = 0;         ///< number: what is taken off first; fill, squash and edges are of what is left
  float fill = 0;          ///< number: mean of the training values
  bool indicator = false;  ///< number: has a "was missing" input
  std::vector<std::string> categories;  ///< text; a missing cell is the category "" if training had one
  Squash squash = {};                   ///< number
  std::vector<float> edges = {};        ///< number: of its bins, rising; none: no bins

  std::size_t bins() const { return edges.empty() ? 0 : edges.size() - 1; }
  /// The first of the bins, counted from the column's first input.
  std::size_t first_bin() const { return indicator ? 2 : 1; }
  std::size_t width() const;
};

struct TargetColumn {
  std::string name;
  std::vector<std::string> classes;  ///< classification: their texts, sorted (numbers by value)
  double mean = 0;                   ///< regression: target = mean + deviation * network output
  double deviation = 1;
  TargetTransform transform = TargetTransform::none;  ///< log: the mean and deviation are those of logarithms
  double spread = 1;                                  ///< log: the deviation of the numbers themselves

  /// The value that an output of the network stands for.
  double value(double output) const;
  /// log: what logarithms are at most. Ten deviations beyond the mean the net has gone astray, and must not answer with
  /// infinity.
  double ceiling() const;
  /// What the network is to say for a value.
  double output(double value) const;
  /// The deviation of the values.
  double unit() const { return transform == TargetTransform::log ? spread : deviation; }
};

/// Everything needed to turn a user's raw file into network inputs; part of the model. input = (raw - offset)
/// * factor.
struct Encoding {
  Task task = Task::classification;
  Scaling scaling = Scaling::column;
  Format format = Format::csv;  ///< of the training file
  std::vector<std::string> ids;
  std::vector<std::string> unused;  ///< columns of the training file that are neither input, id nor target
  std::vector<Derived> derived;     ///< columns made of others before anything else
  std::vector<InputColumn> columns;
  TargetColumn target;
  std::vector<float> offset;  ///< one per network input
  std::vector<float> factor;  ///< one per network input; 0 for inputs that never varied in training

  std::size_t inputs() const { return offset.size(); }
  /// Names for the network inputs: "age", "age missing", "age 12..15", "colour=red", "colour other".
  std::vector<std::string> input_names() const;
  /// The inputs that are not bins.
  std::vector<std::uint32_t> plain_inputs() const;
  bool has_bins() const;
  /// The same with plain_inputs() alone.
  Encoding without_bins() const;
};

enum class ColumnUse : std::uint8_t { skip, number, text };

/// How the columns of a table are taken.
struct TrainingPlan {
  Task task = Task::classification;
  std::string target;
  std::vector<Derived> derived = {};  ///< columns that are added to the table first
  std::vector<ColumnUse> uses;        ///< one per column of the table, with those
};

/// Decides task, kinds and roles. Fails on unknown or ambiguous columns, stray text in number columns, a
/// single class, too few rows. What was found out or looks odd is appended to `notes` and `warnings`, one
/// sentence each.
TrainingPlan plan_training(const Table& given, const EncodingOptions& options,
                           std::vector<std::string>& notes, std::vector<std::string>& warnings);

/// Labels that rows can be split by before the encoding is known: classes in the order of their first row; none for
/// regression. Fails if the target is missing in a row.
std::vector<std::uint32_t> raw_labels(const Table& table, const TrainingPlan& plan);

/// Learns categories, fills, scaling and target from the given rows of a table. weights: of all of its rows; empty: all
/// count the same. Means, deviations and quantiles go by them; how many bins there are, and whether a text is rare, goes
/// by the number of rows. threads: at most, and only where cells are many; nothing depends on them.
Encoding fit_encoding(const Table& given, const TrainingPlan& plan, const EncodingOptions& options,
                      std::span<const std::uint32_t> rows, std::vector<std::string>& notes,
                      std::vector<std::string>& warnings, std::span<const float> weights = {},
                      std::size_t threads = 1);

/// Rows as the network takes them, columns matched by name. Fails naming the columns that are missing and the cells that
/// do not fit; columns the model does not know are ignored with a warning. `with_target`: the target is needed in
/// every row and fills labels or targets, else it is not looked at; rows of a class that training never saw are
/// counted in a warning. threads: as above. memory: where the inputs go; none: into memory, or it fails.
Dataset encode(const Table& table, const Encoding& encoding, bool with_target,
               std::vector<std::string>& warnings, std::size_t threads = 1, RowMemory* memory = nullptr);

/// The id columns that the table has, as texts; missing cells are empty.
struct IdColumns {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> texts;  ///< one column each
};
IdColumns id_columns(const Table& table, const Encoding& encoding);

/// How to read a file that is to be trained on, or encoded for a model.
ReadHints hints_for(const EncodingOptions& options);
ReadHints hints_for(const Encoding& encoding, bool with_target);

}  // namespace coppice
