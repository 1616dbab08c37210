#include "coppice/core/fail.h"
#include "coppice/data/records.h"
#include "coppice/data/text_source.h"

#include <cmath>

namespace coppice {

namespace {

class AmatReader : public RecordReader {
 public:
  AmatReader(ByteStream& stream, const TableBytes& bytes)
      : source_(stream, bytes), most_columns_(bytes.limits.columns) {
    if (!read(first_)) fail_file("{}: the file holds no data, only blank lines", source_.name());
    width_ = first_.cells.size();
    if (width_ >= 2 && width_ <= most_columns_) return;
    fail(
        "{}: line {}: a row of an amat file has numbers and at last the label, so 2 to {} fields, but there "
        "{}",
        source_.name(), first_.line, most_columns_,
        width_ < 2 ? "is one; put blanks between them" : "are more; check the file");
  }

  std::size_t width() const { return width_; }

  bool next(Record& record) override {
    if (!first_.cells.empty()) {
      record = std::move(first_);
      first_.cells.clear();
      return true;
    }
    if (!read(record)) return false;
    require_width(source_.name(), record, width_,
                  "give every row as many numbers as the first one, with blanks between them");
    return true;
  }

 private:
  bool read(Record& record) {
    do {
      if (!source_.next()) return false;
      split_blanks(source_.view(), most_columns_, record.cells);
    } while (record.cells.empty());
    record.line = source_.line();
    record.sparse = false;
    return true;
  }

  TextSource source_;
  std::size_t most_columns_;
  std::size_t width_ = 0;
  Record first_;  ///< the row that was read to see the width
};

}  // namespace

OpenRecords open_amat(ByteStream& stream, const TableBytes& bytes) {
  auto reader = std::make_unique<AmatReader>(stream, bytes);
  OpenRecords records;
  records.info.description = "amat";
  records.info.target = "label";
  const std::size_t pixels = reader->width() - 1;
  for (std::size_t i = 0; i < pixels; ++i)
    records.columns.push_back({.name = fmt::format("pixel{}", i), .declared = ColumnKind::number});
  records.columns.push_back({.name = "label"});
  // The format does not tell the shape; the images that come in it are square.
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(pixels))));
  if (side > 1 && side * side == pixels) records.info.image = ImageShape{.rows = side, .cols = side};
  records.rows = std::move(reader);
  return records;
}

}  // namespace coppice
