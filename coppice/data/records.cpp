#include "coppice/data/records.h"

#include "coppice/core/fail.h"
#include "coppice/core/memory.h"
#include "coppice/data/block_rounds.h"
#include "coppice/data/record_table.h"
#include "coppice/data/worth_threads.h"
#include "coppice/device/threads.h"

#include <exception>
#include <optional>

namespace coppice {

namespace {

/// Two whole numbers side by side may be one with a decimal comma.
bool may_divide_numbers(const Record& record) {
  const auto whole = [](std::string_view cell) {
    return !cell.empty() && cell.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const auto signed_whole = [&](std::string_view cell) {
    return whole(cell.starts_with('-') ? cell.substr(1) : cell);
  };
  for (std::size_t i = 1; i < record.cells.size(); ++i) {
    if (signed_whole(record.cells[i - 1]) && whole(record.cells[i])) return true;
  }
  return false;
}

}  // namespace

void require_width(const std::string& name, const Record& record, std::size_t width, std::string_view remedy,
                   bool commas_divide) {
  if (record.cells.size() == width) return;
  const bool decimal = commas_divide && record.cells.size() > width && may_divide_numbers(record);
  fail("{}: line {}: expected {} {}, but found {}; {}{}", name, record.line, width,
       width == 1 ? "field" : "fields", record.cells.size(), remedy,
       decimal ? ", or write a decimal point if there are decimal commas" : "");
}

void split_blanks(std::string_view line, std::size_t most, std::vector<std::string_view>& words) {
  words.clear();
  const char* at = line.data();
  const char* const end = at + line.size();
  while (true) {
    while (at != end && (*at == ' ' || *at == '\t')) ++at;
    if (at == end || words.size() > most) return;
    const char* const first = at;
    while (at != end && *at != ' ' && *at != '\t') ++at;
    words.emplace_back(first, static_cast<std::size_t>(at - first));
  }
}

void require_memory(const TableBytes& bytes, std::size_t rows, std::size_t columns) {
  if (bytes.memory) return;
  const double needed =
      static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(sizeof(float));
  const double memory = bytes.limits.memory > 0 ? bytes.limits.memory : usable_memory();
  if (needed <= memory) return;
  fail_as(ErrorKind::out_of_memory,
          "{}: {} rows of {} columns need {:.1f} GB, and more may follow, but this machine has {:.1f} GB of "
          "memory; use "
          "fewer rows or columns",
          bytes.name, rows, columns, needed / 1e9, memory / 1e9);
}

namespace {

/// As many as keep threads busy while one of them reads and the last ones end.
std::size_t blocks_of_round(const ThreadPool& pool) {
  return pool.threads() > 1 ? 4 * pool.threads() : 1;
}

/// Blocks of rows, cut by all threads, which then share the columns. A column meets its cells in the order of the rows, as
/// it would alone, so nothing depends on the threads.
void read_blocks(const TableBytes& bytes, RecordReader& rows, RecordTable& table) {
  BlockRounds rounds(rows, {});
  ThreadPool alone(1);
  std::optional<ThreadPool> all;  // once it is seen that there are many cells
  std::size_t cells = 0;
  while (true) {
    ThreadPool& pool = all ? *all : alone;
    const std::span<const CellBlock> blocks = rounds.next(pool, blocks_of_round(pool));
    if (blocks.empty()) return;
    table.add(blocks, pool);
    for (const CellBlock& block : blocks) cells += block.cells.size();
    if (!all && worth_threads(cells, bytes.threads) > 1) all.emplace(bytes.threads);
  }
}

}  // namespace

Table read_records(const TableBytes& bytes, OpenRecords records) {
  const KeptColumns kept(bytes.hints, records.info.target);
  RecordTable table(bytes, kept, std::move(records.info), std::move(records.columns));
  Record record;
  while (records.rows->next(record)) table.add(record);
  if (records.rows->in_blocks()) read_blocks(bytes, *records.rows, table);
  return table.finish();
}

void answer_records(const TableBytes& bytes, OpenRecords records, std::size_t rows, const AnswerPart& answer,
                    const PutAnswer& put) {
  if (!records.rows->in_blocks()) return put(answer(read_records(bytes, std::move(records))));
  const KeptColumns kept(bytes.hints, records.info.target);
  BlockRounds rounds(*records.rows, {.bytes = std::size_t{1} << 20U, .lines = rows});
  ThreadPool alone(1);
  // The first part is answered before threads are started for the others.
  RecordTable first(bytes, kept, records.info, records.columns);
  Record record;
  while (records.rows->next(record)) first.add(record);
  while (first.rows() == 0) {
    const std::span<const CellBlock> blocks = rounds.next(alone, 1);
    if (blocks.empty()) break;
    first.add(blocks, alone);
  }
  records.info.first_row = first.rows();
  put(answer(first.finish()));
  std::optional<ThreadPool> all;
  while (true) {
    const std::span<const CellBlock> blocks =
        rounds.next(all ? *all : alone, all ? blocks_of_round(*all) : 1);
    if (blocks.empty()) return;
    if (!all) all.emplace(bytes.threads);
    std::vector<TableInfo> infos;
    for (const CellBlock& block : blocks) {
      infos.push_back(records.info);
      records.info.first_row += block.rows();
    }
    std::vector<std::string> answers(blocks.size());
    std::vector<std::exception_ptr> mistakes(blocks.size());
    all->parallel_for(blocks.size(), [&](std::size_t i) {
      if (blocks[i].rows() == 0) return;
      try {
        RecordTable table(bytes, kept, std::move(infos[i]), records.columns);
        table.add(blocks.subspan(i, 1), alone);
        answers[i] = answer(table.finish());
      } catch (...) {
        mistakes[i] = std::current_exception();
      }
    });
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (mistakes[i]) std::rethrow_exception(mistakes[i]);
      put(answers[i]);
    }
  }
}

}  // namespace coppice
