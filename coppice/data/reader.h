#pragma once

#include "coppice/data/table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace coppice {

enum class Format : std::uint8_t { csv, idx, libsvm, arff, amat };

/// Where data lies: one file, or an idx images file with its labels beside it.
struct Source {
  Format format = Format::csv;
  std::string path;
  std::string labels;  ///< idx only; empty when there are none
};

/// Finds out what lies at `path`: a file of a known format, or a directory of the four MNIST files (then the
/// training pair, or with `test_part` the t10k pair).
Source find_source(const std::string& path, bool test_part = false);

/// The test pair when `path` is a directory that holds one beside its training pair.
std::optional<Source> test_part_of(const std::string& path);

/// What a first pass over the file learns about one column.
struct ColumnProfile {
  static constexpr std::size_t most_distinct = 1000;
  static constexpr std::size_t most_distinct_texts = 10;

  std::string name;
  std::optional<ColumnKind> declared;        ///< arff says so itself; idx, libsvm and amat inputs are numbers
  std::vector<std::string> declared_values;  ///< arff nominal attributes: the admitted values, in their order
  std::size_t present = 0;                   ///< cells that are not missing
  std::size_t numeric = 0;                   ///< of those, cells that are numbers
  std::size_t unread_numbers = 0;            ///< cells such as 1,5: numbers in a format that is not read
  bool whole = true;                         ///< every number is whole
  std::vector<std::string> distinct;         ///< distinct texts in order of appearance, up to most_distinct
  bool more_distinct = false;                ///< there were more
  std::size_t distinct_texts =
      0;  ///< distinct cells that are no numbers in any format, up to most_distinct_texts
  std::size_t missing_line = 0;  ///< where the first missing cell stands
  std::size_t stray_line = 0;    ///< where the first cell that is no number in any format stands
  std::string stray_value;
  std::size_t unread_line = 0;  ///< where the first number in a format that is not read stands
  std::string unread_value;
};

struct ImageShape {
  std::size_t rows = 0;
  std::size_t cols = 0;
};

struct TableProfile {
  Source source;
  std::string description;  ///< "csv, delimiter ';', header" and the like: said to the user
  std::size_t rows = 0;
  std::vector<ColumnProfile> columns;
  std::optional<std::string> target;  ///< the column that the format itself marks as the label
  char delimiter = ',';               ///< csv: found by looking
  bool header = true;                 ///< csv: whether the first row names the columns
  std::optional<ImageShape> image;    ///< the columns but the label are its pixels, row by row
};

/// First pass: names, types and sizes. Fails on anything that is not well formed, naming file, line and
/// column.
TableProfile profile_table(const Source& source);

enum class ColumnUse : std::uint8_t { skip, number, text };

/// How the second pass takes each column of the profile.
struct LoadPlan {
  std::vector<ColumnUse> uses;  ///< one per profile column
  std::vector<bool> required;   ///< a missing cell in such a column is an error (targets)
};

/// Second pass: the table, with only the columns that are not skipped, in file order. A text cell in a column
/// taken as number, an infinite number, or a missing cell in a required column fails, naming file, line and
/// column.
Table load_table(const TableProfile& profile, const LoadPlan& plan);

/// CRC-32 over the files of a source as they lie on disk: two sources with the same sum hold the same data.
std::uint32_t source_checksum(const Source& source);

}  // namespace coppice
