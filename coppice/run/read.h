#pragma once

#include "coppice/core/export.h"
#include "coppice/data/table.h"
#include "coppice/model/model.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

// Part of the public interface.
namespace coppice {

/// How a file is read. What a column is shows from its cells; only a column of more than a thousand different values
/// must be told to be text, so that its spellings are kept.
struct ReadOptions {
  std::vector<std::string> texts = {};
  std::vector<std::string> numbers = {};
  std::vector<std::string> skip = {};  ///< columns to leave out
  bool skip_others = false;            ///< leave out all columns that are named in neither list
  bool test_part = false;           ///< of a directory of the four MNIST files, instead of the training part
  std::function<bool()> stop = {};  ///< true ends the reading, with an error of kind interrupted
  std::function<void(double share)> progress = {};  ///< told now and then how much of the file is read
  std::size_t threads = 0;                          ///< at most; 0: all there are. The table is the same
  double memory = 0;  ///< bytes of the table in memory at most, the others in a scratch file; 0: all of them
  bool pipe = false;  ///< the path may be one, which is read as long as somebody writes into it
};

/// How to read a file for a model: to predict its rows or, with the target, to be evaluated on them.
COPPICE_API ReadOptions read_options_for(const Model& model, bool with_target = false);

/// Reads a file (csv, idx, libsvm, arff or amat, packed by gzip or not) or a directory of the four MNIST files, once. Its
/// checksum is that of the very bytes that were read.
COPPICE_API Table read_table(const std::string& path, const ReadOptions& options = {});

/// Reads a file that may be larger than the memory in parts of at most so many rows: `answer` makes a text of each and `put`
/// gets those in the order of the parts. The first part is answered before the others are; these by several threads at
/// once, in memory that does not depend on the file. csv files, packed or not, and pipes of them come in parts, other
/// formats as one. Parts have no checksum.
COPPICE_API void answer_table_parts(const std::string& path, const ReadOptions& options, std::size_t rows,
                                    const std::function<std::string(const Table& part)>& answer,
                                    const std::function<void(std::string_view answer)>& put);

}  // namespace coppice
