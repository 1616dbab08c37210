#pragma once

#include "coppice/data/encoding.h"
#include "coppice/data/table.h"

#include <cstddef>
#include <string>
#include <vector>

namespace coppice {

/// Values of a column of the table that stand for all of its cells, as a table of that column alone: numbers and dates at
/// equal steps of their order, texts by falling frequency; no more than `count` different ones, missing cells left out.
/// One value is the middle one, or the most frequent text. Only every `step`th row is looked at.
Table typical_values(const Table& table, const Encoding& encoding, const std::string& column,
                     std::size_t count, std::size_t step = 1);

/// What the cells of a column are like.
struct TypicalColumn {
  std::string name;
  Table values;  ///< at most 21
  Table few;     ///< at most 8
  Table usual;   ///< one
};

/// Of the first columns that the encoding uses, those without values left out. Of long tables some rows are looked at.
std::vector<TypicalColumn> typical_columns(const Table& table, const Encoding& encoding);

}  // namespace coppice
