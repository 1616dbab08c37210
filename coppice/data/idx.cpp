#include "coppice/core/error.h"
#include "coppice/core/file.h"
#include "coppice/data/records.h"
#include "coppice/data/table_builder.h"

#include <array>
#include <bitset>
#include <span>

namespace coppice {

namespace {

using Bytes = std::vector<unsigned char>;

/// An idx file of unsigned bytes, read item by item: images, or labels (items of one byte).
class IdxFile {
 public:
  explicit IdxFile(const std::string& path) : file_(path) {
    std::array<unsigned char, 4> magic{};
    read_header(magic);
    if (magic[0] != 0 || magic[1] != 0 || magic[3] == 0) {
      fail("{}: this is no idx file: it does not start with the bytes 00 00 08 and the rank", path);
    }
    if (magic[2] != 0x08) {
      fail(
          "{}: the elements are of idx type 0x{:02x}, but only unsigned bytes (0x08) can be read; convert "
          "the "
          "file",
          path, magic[2]);
    }
    rank_ = magic[3];
    items_ = read_size();
    for (std::size_t i = 1; i < rank_; ++i) {
      last_size_ = read_size();
      item_size_ *= last_size_;
      if (item_size_ >= most_columns) {
        fail("{}: an image has {} or more values, but {} is the most a table can have", path, item_size_,
             most_columns - 1);
      }
    }
    if (items_ == 0 || item_size_ == 0)
      fail("{}: the file holds no data: its header gives a size of 0", path);
  }

  std::size_t rank() const { return rank_; }
  std::size_t items() const { return items_; }
  std::size_t item_size() const { return item_size_; }
  /// What a picture of an item looks like, if it has rows and columns.
  std::optional<ImageShape> shape() const {
    if (rank_ != 3) return std::nullopt;
    return ImageShape{.rows = item_size_ / last_size_, .cols = last_size_};
  }

  /// Fills `item`, which has item_size() bytes.
  void read_item(std::span<unsigned char> item) {
    const std::size_t count = file_.read(reinterpret_cast<char*>(item.data()), item.size());
    found_ += count;
    if (count != item.size()) fail_size("truncated");
  }

  /// Fails if bytes follow the last item.
  void require_end() {
    std::array<char, 4096> more{};
    const std::size_t before = found_;
    while (const std::size_t count = file_.read(more.data(), more.size())) found_ += count;
    if (found_ != before) fail_size("altered");
  }

 private:
  void read_header(std::span<unsigned char> bytes) {
    const std::size_t count = file_.read(reinterpret_cast<char*>(bytes.data()), bytes.size());
    found_ += count;
    if (count != bytes.size()) {
      fail("{}: the idx file is truncated within its header: {} bytes found; copy or download it again",
           file_.path(), found_);
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
    fail(
        "{}: the idx file is {}: its header promises {} bytes in all, but {} are found; copy or download it "
        "again",
        file_.path(), how, 4 + 4 * rank_ + items_ * item_size_, found_);
  }

  InputFile file_;
  std::size_t rank_ = 0;
  std::size_t items_ = 0;
  std::size_t item_size_ = 1;
  std::size_t last_size_ = 1;
  std::size_t found_ = 0;
};

void check_images(const IdxFile& images, const std::string& path) {
  if (images.rank() < 2) {
    fail("{}: the file holds labels (rank 1), but images are needed; name the images file", path);
  }
}

void check_labels(const IdxFile& labels, const IdxFile& images, const Source& source) {
  if (labels.rank() != 1) {
    fail("{}: the file has rank {}, but labels have rank 1; put the labels that belong to {} there",
         source.labels, labels.rank(), source.path);
  }
  if (labels.items() != images.items()) {
    fail("{}: there are {} labels, but {} images in {}; use files that belong together", source.labels,
         labels.items(), images.items(), source.path);
  }
}

/// Reads all items; `seen` gets the values of each place in the order in which they first come.
void profile_items(IdxFile& file, std::vector<Bytes>& seen) {
  Bytes item(file.item_size());
  std::vector<std::bitset<256>> known(item.size());
  seen.resize(item.size());
  for (std::size_t row = 0; row < file.items(); ++row) {
    file.read_item(item);
    for (std::size_t i = 0; i < item.size(); ++i) {
      if (known[i][item[i]]) continue;
      known[i][item[i]] = true;
      seen[i].push_back(item[i]);
    }
  }
  file.require_end();
}

ColumnProfile byte_column(std::string name, std::size_t rows, const Bytes& seen) {
  ColumnProfile column;
  column.name = std::move(name);
  column.present = column.numeric = rows;
  column.distinct.reserve(seen.size());
  for (const unsigned char value : seen) column.distinct.push_back(std::to_string(value));
  return column;
}

}  // namespace

TableProfile profile_idx(const Source& source) {
  TableProfile profile;
  profile.source = source;
  IdxFile images(source.path);
  check_images(images, source.path);
  profile.rows = images.items();
  profile.image = images.shape();
  profile.description = source.labels.empty() ? "idx images without labels" : "idx images with labels";
  std::vector<Bytes> label_values;
  if (!source.labels.empty()) {
    IdxFile labels(source.labels);
    check_labels(labels, images, source);
    profile_items(labels, label_values);
  }
  std::vector<Bytes> pixel_values;
  profile_items(images, pixel_values);
  profile.columns.reserve(images.item_size() + 1);
  for (std::size_t i = 0; i < images.item_size(); ++i) {
    profile.columns.push_back(byte_column(fmt::format("pixel{}", i), profile.rows, pixel_values[i]));
    profile.columns.back().declared = ColumnKind::number;
  }
  if (!source.labels.empty()) {
    profile.columns.push_back(byte_column("label", profile.rows, label_values[0]));
    profile.target = "label";
  }
  return profile;
}

namespace {

/// Puts the items of a file into the columns from `first` on.
void load_items(IdxFile& file, std::size_t first, const LoadPlan& plan, TableBuilder& table) {
  std::vector<std::size_t> numbers;
  std::vector<std::size_t> texts;
  for (std::size_t i = 0; i < file.item_size(); ++i) {
    if (plan.uses[first + i] == ColumnUse::number) numbers.push_back(i);
    if (plan.uses[first + i] == ColumnUse::text) texts.push_back(i);
  }
  Bytes item(file.item_size());
  for (std::size_t row = 0; row < file.items(); ++row) {
    file.read_item(item);
    for (const std::size_t i : numbers) table.put(row, first + i, static_cast<float>(item[i]));
    for (const std::size_t i : texts) table.put(row, first + i, std::to_string(item[i]));
  }
}

}  // namespace

Table load_idx(const TableProfile& profile, const LoadPlan& plan) {
  const Source& source = profile.source;
  IdxFile images(source.path);
  const std::size_t columns = images.item_size() + (source.labels.empty() ? 0 : 1);
  if (images.items() != profile.rows || columns != profile.columns.size()) {
    fail("{}: the file changed while it was read; try again when it is complete", source.path);
  }
  TableBuilder table(profile, plan);
  load_items(images, 0, plan, table);
  if (!source.labels.empty()) {
    IdxFile labels(source.labels);
    check_labels(labels, images, source);
    load_items(labels, images.item_size(), plan, table);
  }
  return table.finish();
}

}  // namespace coppice
