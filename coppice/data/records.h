#pragma once

#include "coppice/core/file.h"
#include "coppice/data/cell_block.h"
#include "coppice/data/column_builder.h"
#include "coppice/data/reader.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace coppice {

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

  /// Whether rows come in blocks, once next() has given those that were looked at first. Then columns must not refuse any cell.
  virtual bool in_blocks() const { return false; }
  /// The next block; false at the end.
  virtual bool take(TextBlock& /*block*/, const BlockSize& /*size*/) { return false; }
  /// Cuts it into cells; threads may do so at the same time.
  virtual void cut(CellBlock& /*block*/) const {}
};

/// What the head of a file tells, and the rows that follow. The name is left to the caller.
struct OpenRecords {
  TableInfo info;
  std::vector<ColumnHead> columns;  ///< libsvm: the label; the others show in the rows
  std::unique_ptr<RecordReader> rows;
};
OpenRecords open_csv(HeadStream& stream, const TableBytes& bytes);
OpenRecords open_libsvm(ByteStream& stream, const TableBytes& bytes);
OpenRecords open_arff(ByteStream& stream, const TableBytes& bytes);
OpenRecords open_amat(ByteStream& stream, const TableBytes& bytes);

/// Reads the rows to their end.
Table read_records(const TableBytes& bytes, OpenRecords records);

/// The same in parts, as answer_parts() does.
void answer_records(const TableBytes& bytes, OpenRecords records, std::size_t rows, const AnswerPart& answer,
                    const PutAnswer& put);

/// Fails if a row has not as many cells as there are columns. `remedy` is what to do about it in this format.
/// Where commas divide cells, too many of them may be decimal commas.
void require_width(const std::string& name, const Record& record, std::size_t width, std::string_view remedy,
                   bool commas_divide = false);

/// The blank-separated words of a line, replacing `words`; stops at one more than `most`.
void split_blanks(std::string_view line, std::size_t most, std::vector<std::string_view>& words);

/// Fails if so many cells cannot fit into the memory, and are to: the program would be killed without a message.
void require_memory(const TableBytes& bytes, std::size_t rows, std::size_t columns);

}  // namespace coppice
