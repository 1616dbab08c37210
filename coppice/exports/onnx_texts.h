#pragma once

#include "coppice/exports/lowered.h"
#include "coppice/exports/onnx_graph.h"

#include <string>
#include <vector>

namespace coppice {

/// The texts of a column, told by its features, that a graph tells apart, by which they have codes from 0 on: its categories, then words that have a
/// rank in the spellings of training, in small letters, in capitals and with a capital first. Every other text has the
/// code after the last.
std::vector<std::string> onnx_texts(const std::vector<const Feature*>& of_column);

/// The codes of texts. All words that say that a cell is empty are the category "", if there is one.
OnnxGraph::Name add_codes(OnnxGraph& graph, const std::vector<const Feature*>& of_column,
                          const OnnxGraph::Name& texts);

/// The rank of each code, NaN where it has none.
OnnxGraph::Name add_rank(OnnxGraph& graph, const std::vector<const Feature*>& of_column, const Feature& rank,
                         const OnnxGraph::Name& codes);

}  // namespace coppice
