#include "coppice/run/read.h"

#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/data/cell_memory.h"
#include "coppice/data/encoding.h"
#include "coppice/data/reader.h"
#include "coppice/model/parts.h"
#include "coppice/run/source.h"

#include <algorithm>
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

namespace {

/// A file that is open, its format known.
class OpenTable {
 public:
  OpenTable(const std::string& path, const ReadOptions& options)
      : options_(options),
        source_(options.pipe ? Source{path, {}} : find_source(path, options.test_part)),
        file_(source_.path),
        watched_(file_, options),
        stream_(watched_),
        format_(find_format(source_.path, stream_.peek(format_head))) {
    stream_.release();
  }

  Format format() const { return format_; }
  /// Where the labels of images are; empty: nowhere.
  std::string labels() const {
    return format_ != Format::idx || !source_.labels.empty() ? source_.labels : labels_beside(source_.path);
  }
  std::uint32_t checksum() { return file_.checksum(); }
  TableBytes bytes() {
    return {.stream = stream_,
            .name = source_.path,
            .hints = {.texts = options_.texts,
                      .numbers = options_.numbers,
                      .skip = options_.skip,
                      .skip_others = options_.skip_others},
            .limits = {},
            .threads =
                options_.threads > 0 ? options_.threads : std::max(1U, std::thread::hardware_concurrency()),
            .memory = options_.memory > 0 ? std::make_shared<CellMemory>(options_.memory) : nullptr};
  }

 private:
  const ReadOptions& options_;
  Source source_;
  InputFile file_;
  WatchedStream watched_;
  HeadStream stream_;
  Format format_;
};

Table read_labelled(OpenTable& images, const std::string& labels, const ReadOptions& options) {
  InputFile label_file(labels);
  WatchedStream label_stream(label_file, options);
  const TableBytes label_bytes{.stream = label_stream, .name = labels};
  Table table = read_idx(images.bytes(), &label_bytes);
  table.info().checksum = checksum(fmt::format("{:08x}{:08x}", images.checksum(), label_file.checksum()));
  return table;
}

}  // namespace

Table read_table(const std::string& path, const ReadOptions& options) {
  OpenTable file(path, options);
  if (const std::string labels = file.labels(); !labels.empty()) return read_labelled(file, labels, options);
  Table table = read_bytes(file.bytes(), file.format());
  table.info().checksum = file.checksum();
  return table;
}

void answer_table_parts(const std::string& path, const ReadOptions& options, std::size_t rows,
                        const std::function<std::string(const Table& part)>& answer,
                        const std::function<void(std::string_view answer)>& put) {
  OpenTable file(path, options);
  if (const std::string labels = file.labels(); !labels.empty())
    return put(answer(read_labelled(file, labels, options)));
  answer_parts(file.bytes(), file.format(), rows, answer, put);
}

}  // namespace coppice
