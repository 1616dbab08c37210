#include "coppice/core/error.h"
#include "coppice/data/records.h"
#include "coppice/data/text_source.h"

#include <cmath>

namespace coppice {

namespace {

class AmatReader : public RecordReader {
 public:
  explicit AmatReader(const std::string& path) : source_(path) {}

  bool next(Record& record) override {
    do {
      if (!source_.next()) return false;
      split_blanks(source_.view(), record.cells);
    } while (record.cells.empty());
    record.line = source_.line();
    record.sparse = false;
    if (width_ == 0) width_ = record.cells.size();
    require_width(source_.path(), record, width_,
                  "give every row as many numbers as the first one, with blanks between them");
    return true;
  }

 private:
  TextSource source_;
  std::size_t width_ = 0;
};

}  // namespace

void describe_amat(TableProfile& profile) {
  profile.description = "amat";
  profile.target = "label";
  AmatReader reader(profile.source.path);
  Record record;
  if (!reader.next(record)) fail("{}: the file holds no data, only blank lines", profile.source.path);
  const std::size_t width = record.cells.size();
  if (width < 2 || width > most_columns) {
    fail(
        "{}: line {}: a row of an amat file has numbers and at last the label, so 2 to {} fields, but there "
        "{}",
        profile.source.path, record.line, most_columns,
        width < 2 ? "is one; put blanks between them" : "are more; check the file");
  }
  profile.columns.resize(width);
  for (std::size_t i = 0; i + 1 < width; ++i) {
    profile.columns[i].name = fmt::format("pixel{}", i);
    profile.columns[i].declared = ColumnKind::number;
  }
  profile.columns.back().name = "label";
  // The format does not tell the shape; the images that come in it are square.
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(width - 1))));
  if (side > 1 && side * side == width - 1) profile.image = ImageShape{.rows = side, .cols = side};
}

std::unique_ptr<RecordReader> read_amat(const TableProfile& profile) {
  return std::make_unique<AmatReader>(profile.source.path);
}

}  // namespace coppice
