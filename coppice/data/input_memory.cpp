#include "coppice/data/input_memory.h"

#include "coppice/core/fail.h"
#include "coppice/core/memory.h"
#include "coppice/core/text.h"

#include <algorithm>

namespace coppice {

void require_input_memory(const Table& table, const Encoding& encoding, std::size_t rows,
                          std::size_t inputs) {
  const double needed = static_cast<double>(rows) * static_cast<double>(inputs * sizeof(float));
  constexpr double always_there = 1 << 24;  // finding out what there is takes longer than to predict a row
  if (needed <= always_there) return;
  const double memory = usable_memory();
  if (needed <= memory) return;
  const auto widest = std::ranges::max_element(encoding.columns, {}, &InputColumn::width);
  fail_as(ErrorKind::out_of_memory,
          "{}: {} rows of {} inputs need {:.1f} GB, but there are {:.1f} GB of memory; use fewer rows, or "
          "train without columns that make many inputs ({} makes {})",
          table.name(), rows, inputs, needed / 1e9, memory / 1e9, cited(widest->name), widest->width());
}

}  // namespace coppice
