#include "coppice/run/read.h"

#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/data/cell_memory.h"
#include "coppice/data/encoding.h"
#include "coppice/data/reader.h"
#include "coppice/model/parts.h"
#include "coppice/run/source.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <thread>
#include <utility>

namespace coppice {

namespace {

/// Asks before every portion whether to go on, and tells how far it is.
class WatchedStream final : public ByteStream {
 public:
  WatchedStream(InputFile& file, const ReadOptions& options) : file_(file), options_(options) {}

  std::size_t read(char* buffer, std::size_t size) override {
    if (options_.stop && options_.stop()) fail_as(ErrorKind::interrupted, "stopped while reading data");
    if (options_.progress && file_.size() > 0) options_.progress(file_.share());
    return file_.read(buffer, size);
  }

 private:
  InputFile& file_;
  const ReadOptions& options_;
};

}  // namespace

ReadOptions read_options_for(const Model& model, bool with_target) {
  const ReadHints hints = hints_for(model.parts().encoding, with_target);
  return {.texts = hints.texts,
          .numbers = hints.numbers,
          .skip = hints.skip,
          .skip_others = hints.skip_others,
          .test_part = true};
}

Table read_table(const std::string& path, const ReadOptions& options) {
  std::optional<Table> whole;
  read_table_parts(path, options, std::numeric_limits<std::size_t>::max(),
                   [&](Table table) { whole = std::move(table); });
  return std::move(whole).value();
}

void read_table_parts(const std::string& path, const ReadOptions& options, std::size_t rows,
                      const std::function<void(Table)>& take) {
  const Source source = options.pipe ? Source{path, {}} : find_source(path, options.test_part);
  const ReadHints hints{.texts = options.texts,
                        .numbers = options.numbers,
                        .skip = options.skip,
                        .skip_others = options.skip_others};
  InputFile file(source.path);
  WatchedStream watched(file, options);
  HeadStream stream(watched);
  const Format format = find_format(source.path, stream.peek(format_head));
  stream.release();
  const std::size_t threads =
      options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  const TableBytes bytes{
      .stream = stream,
      .name = source.path,
      .hints = hints,
      .limits = {},
      .threads = threads,
      .memory = options.memory > 0 ? std::make_shared<CellMemory>(options.memory) : nullptr};
  const std::string labels =
      format != Format::idx || !source.labels.empty() ? source.labels : labels_beside(source.path);
  if (labels.empty()) {
    std::optional<Table> last;  // only of a whole file the checksum is asked for
    read_parts(bytes, format, rows, [&](Table table) {
      if (last) take(*std::move(last));
      last = std::move(table);
    });
    if (last->info().first_row == 0) last->info().checksum = file.checksum();
    take(*std::move(last));
    return;
  }
  InputFile label_file(labels);
  WatchedStream label_stream(label_file, options);
  const TableBytes label_bytes{.stream = label_stream, .name = labels};
  Table table = read_idx(bytes, &label_bytes);
  table.info().checksum = checksum(fmt::format("{:08x}{:08x}", file.checksum(), label_file.checksum()));
  take(std::move(table));
}

}  // namespace coppice
