#include "coppice/core/fail.h"
#include "coppice/data/kept_columns.h"
#include "coppice/data/records.h"

#include <algorithm>
#include <array>
#include <span>

namespace coppice {

namespace {

/// An idx file of unsigned bytes, read item by item: images, or labels (items of one byte).
class IdxFile {
 public:
  explicit IdxFile(const TableBytes& bytes) : stream_(bytes.stream), name_(bytes.name) {
    std::array<unsigned char, 4> magic{};
    read_header(magic);
    if (magic[0] != 0 || magic[1] != 0 || magic[3] == 0) {
      fail_file("{}: this is no idx file: it does not start with the bytes 00 00 08 and the rank", name_);
    }
    if (magic[2] != 0x08) {
      fail_file(
          "{}: the elements are of idx type 0x{:02x}, but only unsigned bytes (0x08) can be read; convert "
          "the "
          "file",
          name_, magic[2]);
    }
    rank_ = magic[3];
    items_ = read_size();
    for (std::size_t i = 1; i < rank_; ++i) {
      last_size_ = read_size();
      item_size_ *= last_size_;
      if (item_size_ >= bytes.limits.columns) {
        fail_file("{}: an image has {} or more values, but {} is the most a table can have", name_,
                  item_size_, bytes.limits.columns - 1);
      }
    }
    if (items_ == 0 || item_size_ == 0)
      fail_file("{}: the file holds no data: its header gives a size of 0", name_);
  }

  std::size_t rank() const { return rank_; }
  std::size_t items() const { return items_; }
  std::size_t item_size() const { return item_size_; }
  /// What a picture of an item looks like, if it has rows and columns.
  std::optional<ImageShape> shape() const {
    if (rank_ != 3) return std::nullopt;
    return ImageShape{.rows = item_size_ / last_size_, .cols = last_size_};
  }

  const std::string& name() const { return name_; }

  /// Fills `bytes`, as long as some items.
  void read_items(std::span<unsigned char> bytes) {
    const std::size_t count = stream_.read(reinterpret_cast<char*>(bytes.data()), bytes.size());
    found_ += count;
    if (count != bytes.size()) fail_size("truncated");
  }

  /// Fails if bytes follow the last item.
  void require_end() {
    std::array<char, 4096> more{};
    const std::size_t before = found_;
    while (const std::size_t count = stream_.read(more.data(), more.size())) found_ += count;
    if (found_ != before) fail_size("altered");
  }

 private:
  void read_header(std::span<unsigned char> bytes) {
    const std::size_t count = stream_.read(reinterpret_cast<char*>(bytes.data()), bytes.size());
    found_ += count;
    if (count != bytes.size()) {
      fail_file("{}: the idx file is truncated within its header: {} bytes found; copy or download it again",
                name_, found_);
    }
  }

  /// A size is big-endian.
  std::size_t read_size() {
    std::array<unsigned char, 4> bytes{};
    read_header(bytes);
    std::size_t size = 0;
    for (const unsigned char byte : bytes) size = size << 8U | byte;
    return size;
  }

  [[noreturn]] void fail_size(std::string_view how) const {
    fail_file(
        "{}: the idx file is {}: its header promises {} bytes in all, but {} are found; copy or download it "
        "again",
        name_, how, 4 + 4 * rank_ + items_ * item_size_, found_);
  }

  ByteStream& stream_;
  std::string name_;
  std::size_t rank_ = 0;
  std::size_t items_ = 0;
  std::size_t item_size_ = 1;
  std::size_t last_size_ = 1;
  std::size_t found_ = 0;
};

void check_images(const IdxFile& images) {
  if (images.rank() < 2) {
    fail_file("{}: the file holds labels (rank 1), but images are needed; name the images file",
              images.name());
  }
}

void check_labels(const IdxFile& labels, const IdxFile& images) {
  if (labels.rank() != 1) {
    fail_file("{}: the file has rank {}, but labels have rank 1; put the labels that belong to {} there",
              labels.name(), labels.rank(), images.name());
  }
  if (labels.items() != images.items()) {
    fail_file("{}: there are {} labels, but {} images in {}; use files that belong together", labels.name(),
              labels.items(), images.items(), images.name());
  }
}

/// Puts the items into the columns, a block of them at a time.
void read_columns(IdxFile& file, const TableBytes& bytes, std::vector<ColumnBuilder>& columns) {
  constexpr std::size_t most_rows = 64;
  const auto keeps = [](const ColumnBuilder& column) { return column.keeps_cells(); };
  const auto kept = static_cast<std::size_t>(std::ranges::count_if(columns, keeps));
  const std::size_t width = file.item_size();
  std::vector<unsigned char> items(most_rows * width);
  std::array<float, most_rows> cells{};
  for (std::size_t row = 0; row < file.items(); row += most_rows) {
    const std::size_t rows = std::min(most_rows, file.items() - row);
    require_memory(bytes, row + rows, kept);
    file.read_items(std::span(items).first(rows * width));
    for (std::size_t i = 0; i < width; ++i) {
      for (std::size_t r = 0; r < rows; ++r) cells[r] = static_cast<float>(items[r * width + i]);
      columns[i].add(std::span<const float>(cells).first(rows));
    }
  }
  file.require_end();
}

/// Bytes are small numbers whose spelling is known.
Kept kept_bytes(const KeptColumns& kept, const std::string& name) {
  return kept.of(name) == Kept::nothing ? Kept::nothing : Kept::number;
}

}  // namespace

Table read_idx(const TableBytes& bytes, const TableBytes* label_bytes) {
  TableInfo info{.name = bytes.name, .format = Format::idx};
  IdxFile images(bytes);
  check_images(images);
  info.image = images.shape();
  info.description = label_bytes == nullptr ? "idx images without labels" : "idx images with labels";
  const KeptColumns kept(bytes.hints, {});
  std::vector<ColumnBuilder> label;
  if (label_bytes != nullptr) {
    IdxFile labels(*label_bytes);
    check_labels(labels, images);
    label.emplace_back(ColumnHead{.name = "label"}, kept_bytes(kept, "label"), info.name, images.item_size(),
                       bytes.memory);
    read_columns(labels, *label_bytes, label);
    info.target = "label";
  }
  std::vector<ColumnBuilder> pixels;
  for (std::size_t i = 0; i < images.item_size(); ++i) {
    ColumnHead head{.name = fmt::format("pixel{}", i), .declared = ColumnKind::number};
    const Kept use = kept_bytes(kept, head.name);
    pixels.emplace_back(std::move(head), use, info.name, i, bytes.memory);
  }
  read_columns(images, bytes, pixels);
  std::vector<std::shared_ptr<const Column>> columns;
  columns.reserve(pixels.size() + 1);
  for (std::vector<ColumnBuilder>* part : {&pixels, &label}) {
    for (ColumnBuilder& column : *part) columns.push_back(column.finish());
  }
  return {std::move(info), images.items(), std::move(columns)};
}

}  // namespace coppice
