#include "coppice/run/files.h"

#include "coppice/api/resolve.h"
#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/data/encoding.h"
#include "coppice/data/row_memory.h"
#include "coppice/data/table_checksum.h"
#include "coppice/model/parts.h"
#include "coppice/run/read.h"
#include "coppice/run/source.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace coppice {

namespace {

/// How to read rows that belong to those of `data`: texts there are texts here.
ReadOptions options_beside(const Table& data, ReadOptions options) {
  const std::vector<std::string> names = data.names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (data.kind(i) == ColumnKind::text) options.texts.push_back(names[i]);
  }
  return options;
}

/// Fails on what config.json cannot hold: who goes on with the directory would not have it.
void refuse_in_memory(const Options& options) {
  const auto refuse = [](const char* setting, const char* what) {
    fail_option(setting, "`{}`: a directory keeps its settings in a file, which holds no {}; give a file",
                setting, what);
  };
  const auto in_memory = [](const HeldOut& rows) {
    return !std::holds_alternative<std::monostate>(rows) && !std::holds_alternative<double>(rows);
  };
  if (in_memory(options.validation)) refuse("validation", "tables and no rows");
  if (in_memory(options.test)) refuse("test", "tables and no rows");
  if (options.warm_start) refuse("warm-start", "models");
}

std::string sum_text(std::uint32_t sum) {
  return fmt::format("{:08x}", sum);
}

/// What was handed in stands for itself by its content.
void add_held_out(nlohmann::json& checksums, const char* role, const HeldOut& rows) {
  if (const auto* numbers = std::get_if<std::vector<std::uint32_t>>(&rows)) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    checksums[role] = sum_text(
        checksum({reinterpret_cast<const char*>(numbers->data()), numbers->size() * sizeof(std::uint32_t)}));
  } else if (const auto* table = std::get_if<Table>(&rows)) {
    checksums[role] = sum_text(table_checksum(*table));
  }
}

FilesRead taken_from_memory(const RunOptions& run) {
  FilesRead all{.data = *run.table, .options = run.options, .checksums = nlohmann::json::object()};
  all.checksums["data"] = sum_text(table_checksum(all.data));
  add_held_out(all.checksums, "validation", run.options.validation);
  add_held_out(all.checksums, "test", run.options.test);
  if (run.options.warm_start)
    all.checksums["warm-start"] = sum_text(checksum(run.options.warm_start->bytes()));
  return all;
}

}  // namespace

FilesRead read_files(const RunOptions& run, const std::function<bool()>& stop) {
  if (run.table) return taken_from_memory(run);
  refuse_in_memory(run.options);
  FilesRead files;
  files.options = run.options;
  Options& options = files.options;
  if (!run.warm_start.empty()) {
    const std::string bytes = read_model_file(run.warm_start);
    options.warm_start = Model::from_bytes(bytes, run.warm_start);
    files.checksums["warm-start"] = sum_text(checksum(bytes));
  }
  ReadHints hints = options.warm_start ? hints_for(options.warm_start->parts().encoding, true)
                                       : hints_for(encoding_options(options));
  if (options.warm_start)
    std::ranges::copy(encoding_options(options).split.names(), std::back_inserter(hints.texts));
  if (options.warm_start && options.weight) hints.numbers.push_back(*options.weight);
  const auto tables = 1.0 + (run.validation.empty() ? 0 : 1) + (run.test.empty() ? 0 : 1);
  const ReadOptions reading{.texts = hints.texts,
                            .numbers = hints.numbers,
                            .skip = hints.skip,
                            .skip_others = hints.skip_others,
                            .stop = stop,
                            .threads = options.threads.value_or(0),
                            .memory = memory_of_cells(memory_of(options)) / tables};
  const auto read = [&](const char* role, const std::string& path, ReadOptions how) {
    if (run.reading) how.progress = [&](double share) { run.reading(path, share); };
    Table table = read_table(path, how);
    files.checksums[role] = sum_text(table.info().checksum.value());
    return table;
  };
  files.data = read("data", run.data, reading);
  ReadOptions beside = options_beside(files.data, reading);
  if (!run.validation.empty()) options.validation = read("validation", run.validation, beside);
  beside.test_part = true;
  if (!run.test.empty()) {
    options.test = read("test", run.test, beside);
  } else if (std::holds_alternative<std::monostate>(options.test) && test_part_of(run.data)) {
    options.test = read("test", run.data, beside);
  }
  return files;
}

}  // namespace coppice
