#pragma once

#include "coppice/analysis/measured_net.h"
#include "coppice/api/prepare.h"

#include <cstddef>
#include <cstdint>
#include <vector>

// One net that learns to answer as an ensemble does: on the rows of the table and on rows made up between them, of which
// there can be as many as it needs, and each of which says how sure its teachers are.
namespace coppice {

/// Rows to learn from and to decide by that are made of so many.
std::size_t lesson_rows(std::size_t rows);

/// The rows and the made-up ones with the ensemble's answers: for classes as many copies of a row as there are answers to it,
/// each counting by its probability. A part of them decides.
PreparedData lessons(ThreadPool& pool, const PreparedData& data, const Model& ensemble, std::uint64_t seed);

/// Who teaches.
struct Teacher {
  MeasuredNet ensemble;
  std::vector<std::size_t> judges;  ///< of it: indices of nets
  MeasuredNet exam;                 ///< its own answers to the rows that decide: nobody can do better
};

/// What the ensemble answers to those rows.
MeasuredNet take_exam(ThreadPool& pool, const PreparedData& lessons, const Model& ensemble, Metric metric);

/// A net that was measured on the rows that decide, as it does on the table's: as the ensemble did on those that its nets had
/// not seen, and worse by what it answers worse than the ensemble, were that one's probabilities right. Test rows are asked.
MeasuredNet graduated(ThreadPool& pool, MeasuredNet measured, const Teacher& teacher,
                      const PreparedData& data);

}  // namespace coppice
