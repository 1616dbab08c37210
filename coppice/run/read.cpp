#include "coppice/run/read.h"

#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/data/encoding.h"
#include "coppice/data/reader.h"
#include "coppice/model/parts.h"
#include "coppice/run/source.h"

namespace coppice {

namespace {

/// Asks before every portion whether to go on.
class StoppableStream final : public ByteStream {
 public:
  StoppableStream(ByteStream& stream, const std::function<bool()>& stop) : stream_(stream), stop_(stop) {}

  std::size_t read(char* buffer, std::size_t size) override {
    if (stop_ && stop_()) fail_as(ErrorKind::interrupted, "stopped while reading data");
    return stream_.read(buffer, size);
  }

 private:
  ByteStream& stream_;
  const std::function<bool()>& stop_;
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
  const Source source = find_source(path, options.test_part);
  const ReadHints hints{.texts = options.texts,
                        .numbers = options.numbers,
                        .skip = options.skip,
                        .skip_others = options.skip_others};
  InputFile file(source.path);
  StoppableStream stoppable(file, options.stop);
  HeadStream stream(stoppable);
  const Format format = find_format(source.path, stream.peek(format_head));
  stream.release();
  const TableBytes bytes{.stream = stream, .name = source.path, .hints = hints};
  const std::string labels =
      format != Format::idx || !source.labels.empty() ? source.labels : labels_beside(source.path);
  if (labels.empty()) {
    Table table = read_bytes(bytes, format);
    table.info().checksum = file.checksum();
    return table;
  }
  InputFile label_file(labels);
  StoppableStream label_stream(label_file, options.stop);
  const TableBytes label_bytes{.stream = label_stream, .name = labels};
  Table table = read_idx(bytes, &label_bytes);
  table.info().checksum = checksum(fmt::format("{:08x}{:08x}", file.checksum(), label_file.checksum()));
  return table;
}

}  // namespace coppice
