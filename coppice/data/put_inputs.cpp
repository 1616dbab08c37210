#include "coppice/data/put_inputs.h"

#include "coppice/data/cell_memory.h"
#include "coppice/data/input_memory.h"
#include "coppice/data/input_packer.h"
#include "coppice/data/worth_threads.h"
#include "coppice/device/threads.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

namespace coppice {

namespace {

constexpr std::size_t part_rows = 16 * InputEncoder::most_rows;

/// Calls use(first, count) for parts of the rows.
template <class Use>
void for_parts(ThreadPool& pool, std::size_t rows, const Use& use) {
  pool.parallel_for((rows + part_rows - 1) / part_rows, [&](std::size_t part) {
    use(part * part_rows, std::min(rows - part * part_rows, part_rows));
  });
}

/// A block of rows at a time: columns lie one after another in the table, rows in the inputs.
void put_floats(ThreadPool& pool, const InputEncoder& encoder, Matrix<float>& inputs) {
  for_parts(pool, inputs.rows(), [&](std::size_t first, std::size_t count) {
    for (std::size_t row = 0; row < count; row += InputEncoder::most_rows) {
      const std::size_t some = std::min(InputEncoder::most_rows, count - row);
      encoder.encode(first + row, inputs.view().block(first + row, some));
    }
  });
}

/// Chunks of columns that begin or end here, whose cells lie in a file: they are all read now, and not page by page.
void expect_chunks(const Table& table, std::size_t first, std::size_t count) {
  if (first % CellStore::chunk_size != 0 && (first + count) % CellStore::chunk_size != 0) return;
  for (std::size_t c = 0; c < table.columns(); ++c) {
    for (const CellStore* cells : {&table.column(c).cells, &table.column(c).upper}) {
      if (cells->memory() && cells->size() > first)
        CellMemory::expect(cells->run(first / CellStore::chunk_size * CellStore::chunk_size));
    }
  }
}

void put_packed(ThreadPool& pool, const InputPacker& packer, const Table& table, PackedRows& packed) {
  constexpr std::size_t released_cells = std::size_t{1} << 20U;
  const std::size_t size = packed.format().bytes();
  std::atomic<std::size_t> cells = 0;
  for_parts(pool, packed.rows(), [&](std::size_t first, std::size_t count) {
    expect_chunks(table, first, count);
    std::vector<std::byte> part(count * size);
    for (std::size_t row = 0; row < count; row += InputEncoder::most_rows)
      packer.pack(first + row, std::min(InputEncoder::most_rows, count - row), part.data() + row * size);
    packed.write(first, part);
    const std::size_t own = count * table.columns();
    const std::size_t before = cells.fetch_add(own);
    if (before / released_cells != (before + own) / released_cells) release_cells(table);
  });
  release_cells(table);
}

}  // namespace

void put_inputs(const Table& table, const Encoding& encoding, const InputPlaces& places, std::size_t threads,
                RowMemory* memory, Dataset& data) {
  const std::size_t rows = table.rows();
  const std::size_t width = encoding.inputs();
  const double bytes = static_cast<double>(rows) * static_cast<double>(width * sizeof(float));
  const InputEncoder encoder(table, encoding, places);
  const std::size_t parts = (rows + part_rows - 1) / part_rows;
  ThreadPool pool(std::min(std::max<std::size_t>(1, parts), worth_threads(rows * width, threads)));
  const bool fits = memory == nullptr || memory->holds(bytes);
  if (memory != nullptr && (!fits || bytes > memory->worth_packing())) {
    InputPacker packer(pool, encoder, table, fits ? InputPacker::Codes::bytes : InputPacker::Codes::all);
    const double packed = static_cast<double>(rows) * static_cast<double>(packer.format().bytes());
    if (!fits || packed <= bytes * most_packed) {
      const auto made = std::make_shared<PackedRows>(packer.format(), rows, memory->take(packed));
      put_packed(pool, packer, table, *made);
      data.packed = made;
      return;
    }
  }
  if (memory == nullptr)
    require_input_memory(table, encoding, rows, width);
  else
    memory->take(bytes);
  data.inputs = Matrix<float>::packed(rows, width);
  put_floats(pool, encoder, data.inputs);
}

}  // namespace coppice
