#include "tests/fuzz/tables.h"

#include "coppice/core/file.h"
#include "coppice/data/column.h"
#include "coppice/data/reader.h"
#include "coppice/data/summary.h"

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/targets.h"

#include <array>
#include <cmath>

namespace coppice::fuzz {

namespace {

constexpr ReadLimits small_limits{.columns = 40, .line = 600, .blank_lines = 30, .memory = 2000};

/// Which of several things is done with these bytes: always the same, and with most of their neighbours another.
std::uint32_t turn_of(std::string_view bytes) {
  return checksum(bytes);
}

void check_column(const Table& table, std::size_t index) {
  const Column& column = table.column(index);
  const ColumnFacts& facts = column.facts;
  require(facts.numeric <= facts.present && facts.present <= table.rows(), "counts of a column are ordered");
  require(facts.missing == nullptr || facts.present < table.rows(), "a missing cell is counted");
  if (column.storage == Column::Storage::none) return;
  const bool coded = column.storage == Column::Storage::codes;
  std::size_t present = 0;
  std::size_t numbers = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const bool is_number = !std::isnan(column.number(row));
    const bool there = coded ? column.code(row) != Column::missing : is_number;
    require(!there || !coded || column.code(row) < column.texts.size(), "codes stand for texts");
    require(there || table.text(column.name, row).empty(), "a missing cell has no text");
    if (there) ++present;
    if (is_number) ++numbers;
  }
  // A column that is told to hold numbers keeps no texts.
  require(!coded || present == facts.present, "the cells that are there are those counted");
  require(numbers == facts.numeric, "the numbers are those counted");
}

/// What is read in parts, as `predict` does it, is the same rows. All columns are texts: what the first rows hold decides nothing then.
void read_in_parts(const std::string& name, std::string_view bytes, std::optional<Format> format,
                   const Table& table) {
  Bytes stream(bytes);
  std::string rows;
  std::size_t next = 0;
  const ReadHints texts{.texts = table.names()};
  answer_parts(
      {.stream = stream, .name = name, .hints = texts, .limits = small_limits}, format, 3,
      [&](const Table& part) {
        require(part.names() == table.names(), "every part has all columns");
        check_table(part);
        std::string cells;
        for (std::size_t row = 0; row < part.rows(); ++row)
          cells += part.text(part.column(0).name, row) + '\n';
        return cells;
      },
      [&](std::string_view cells) {
        rows += cells;
        ++next;
      });
  std::string whole;
  Bytes again(bytes);
  const Table all =
      read_bytes({.stream = again, .name = name, .hints = texts, .limits = small_limits}, format);
  for (std::size_t row = 0; row < all.rows(); ++row) whole += all.text(all.column(0).name, row) + '\n';
  require(next > 0 && rows == whole, "parts make up the whole");
}

}  // namespace

void check_table(const Table& table) {
  require(table.rows() > 0 && table.columns() > 0, "a table has rows and columns");
  for (std::size_t i = 0; i < table.columns(); ++i) {
    require(table.find(table.column(i).name) == i, "columns are found by their names");
    check_column(table, i);
  }
}

void read_tables(const std::string& name, std::string_view bytes, std::optional<Format> format) {
  Table table;
  const auto read = [&](const ReadHints& hints) {
    Bytes stream(bytes);
    Table made = read_bytes({.stream = stream, .name = name, .hints = hints, .limits = small_limits}, format);
    require(stream.ended(), "a file is read to its end");
    return made;
  };
  if (!goes_through(name, [&] { table = read({}); })) return;
  check_table(table);
  // One of four is read again, with one set of hints at a time: runs are many.
  const std::uint32_t turn = turn_of(bytes) / 8 % 16;
  if (turn == 1) goes_through(name, [&] { read_in_parts(name, bytes, format, table); });
  if (turn % 4 != 0) return;
  const std::string last = table.names().back();
  const std::array<ReadHints, 4> all{ReadHints{.numbers = table.names()}, ReadHints{.texts = table.names()},
                                     ReadHints{.skip = {last}},
                                     ReadHints{.texts = {last}, .skip_others = true}};
  const Table again = read(all[turn_of(bytes) % all.size()]);
  check_table(again);
  require(again.rows() == table.rows() && again.names() == table.names(), "hints change no shape");
  for (std::size_t i = 0; i < table.columns(); ++i) {
    const ColumnFacts& facts = again.column(i).facts;
    const bool counted = again.column(i).storage != Column::Storage::none;
    require(!counted || facts.present == table.column(i).facts.present, "hints make no cell missing");
  }
}

void csv(std::string_view bytes) {
  if (turn_of(bytes) / 4 % 2 == 0)
    read_tables("fuzz.csv", bytes, Format::csv);
  else
    read_tables("fuzz", bytes, {});  // the format is found from the first lines
}

void arff(std::string_view bytes) {
  read_tables("fuzz.arff", bytes, {});
}

void libsvm(std::string_view bytes) {
  read_tables("fuzz.svm", bytes, {});
}

void amat(std::string_view bytes) {
  read_tables("fuzz.amat", bytes, {});
}

void idx(std::string_view bytes) {
  const std::string name = "fuzz-idx3-ubyte";
  if (bytes.size() < 2) return;
  const std::size_t wanted =
      static_cast<unsigned char>(bytes[0]) + 256U * static_cast<unsigned char>(bytes[1]);
  bytes.remove_prefix(2);
  if (wanted == 0) {
    read_tables(name, bytes, Format::idx);
    return;
  }
  const std::size_t images_size = bytes.size() - std::min(bytes.size(), wanted);
  Bytes images(bytes.substr(0, images_size));
  Bytes labels(bytes.substr(images_size));
  const TableBytes label_bytes{.stream = labels, .name = name, .limits = small_limits};
  Table table;
  const bool read = goes_through(name, [&] {
    table = read_idx({.stream = images, .name = name, .limits = small_limits}, &label_bytes);
  });
  if (!read) return;
  check_table(table);
  require(table.info().target == "label" && table.find("label") == table.columns() - 1, "labels come last");
}

}  // namespace coppice::fuzz
