#pragma once

#include "coppice/core/file.h"
#include "coppice/data/table.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

class CellMemory;

/// What is known of the columns of a file before it is read, by their names. A column of more than a thousand different
/// numbers keeps its spellings only if it is told to be text, and one of more than a thousand texts is kept at all only
/// then.
struct ReadHints {
  std::vector<std::string> texts = {};
  std::vector<std::string> numbers = {};
  std::vector<std::string> skip = {};  ///< counted, but not kept
  bool skip_others = false;            ///< so are all that are not named
};

/// What no file can exceed, so that none exhausts the memory.
struct ReadLimits {
  std::size_t columns = 250'000;
  std::size_t line = std::size_t{1} << 26U;  ///< bytes of a line, or of a record that goes over several
  std::size_t blank_lines = 1'000'000;       ///< one after another: a small packed file can hold billions
  double memory = 0;                         ///< bytes of a table; 0: what the machine has
};

/// Bytes to be read as a table.
struct TableBytes {
  ByteStream& stream;
  std::string
      name;  ///< for messages: the path of the file; its extension tells the format if it is a known one
  ReadHints hints = {};
  ReadLimits limits = {};
  std::size_t threads = 1;                  ///< at most; the table does not depend on them
  std::shared_ptr<CellMemory> memory = {};  ///< where the cells lie; none: in memory
};

/// As much of the beginning of a file as tells its format.
constexpr std::size_t format_head = std::size_t{1} << 16U;

/// What the beginning of a file looks like; the extension of its name decides if it is a known one and the file no idx.
Format find_format(std::string_view name, std::string_view head);

/// Reads bytes of any text format, or images, once and to their end. Fails on anything that is not well formed, naming
/// line and column.
Table read_bytes(const TableBytes& bytes, std::optional<Format> format = {});

/// The same in parts of at most so many rows, of which few are held, as answer_table_parts() does (coppice/run/read.h).
using AnswerPart = std::function<std::string(const Table& part)>;
using PutAnswer = std::function<void(std::string_view answer)>;
void answer_parts(const TableBytes& bytes, std::optional<Format> format, std::size_t rows,
                  const AnswerPart& answer, const PutAnswer& put);

/// Images and the labels that belong to them.
Table read_idx(const TableBytes& bytes, const TableBytes* label_bytes = nullptr);

}  // namespace coppice
