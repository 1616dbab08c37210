#pragma once

#include "coppice/data/reader.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace coppice {

/// A wider table is taken for garbage, so that no file can exhaust the memory.
constexpr std::size_t most_columns = 250'000;

/// One row of a text file. Dense: a cell for every column. Sparse: cells of the named columns (ascending);
/// the others have the absent value of their column.
struct Record {
  std::size_t line = 0;
  bool sparse = false;
  std::vector<std::string_view> cells;
  std::vector<std::uint32_t> columns;  ///< sparse only: where each cell belongs
};

/// Pulls rows out of a text file. Fails on whatever is not well formed.
class RecordReader {
 public:
  RecordReader() = default;
  virtual ~RecordReader() = default;
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;

  /// False at the end. The cells are valid until the next call.
  virtual bool next(Record& record) = 0;
};

// Each text format has two functions: describe_* looks at the head of profile.source.path and fills in names,
// declared kinds, target and description; read_* opens the rows of a file so described.
void describe_csv(TableProfile& profile);
void describe_libsvm(TableProfile& profile);
void describe_arff(TableProfile& profile);
void describe_amat(TableProfile& profile);
std::unique_ptr<RecordReader> read_csv(const TableProfile& profile);
std::unique_ptr<RecordReader> read_libsvm(const TableProfile& profile);
std::unique_ptr<RecordReader> read_arff(const TableProfile& profile);
std::unique_ptr<RecordReader> read_amat(const TableProfile& profile);

/// The rows of any text format.
std::unique_ptr<RecordReader> read_records(const TableProfile& profile);

/// What a sparse row means by leaving a column out: 0, or the first declared value; a text that is not
/// declared is missing.
std::string_view absent_text(const ColumnProfile& column);

/// Fails if a row has not as many cells as there are columns. `remedy` is what to do about it in this format.
/// Where commas divide cells, too many of them may be decimal commas.
void require_width(const std::string& path, const Record& record, std::size_t width, std::string_view remedy,
                   bool commas_divide = false);

/// The blank-separated words of a line, replacing `words`; stops at one more than most_columns.
void split_blanks(std::string_view line, std::vector<std::string_view>& words);

// Images are bytes, not records: idx has passes of its own.
TableProfile profile_idx(const Source& source);
Table load_idx(const TableProfile& profile, const LoadPlan& plan);

}  // namespace coppice
