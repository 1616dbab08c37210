#include "coppice/run/read.h"

#include "coppice/run/source.h"

#include "tests/data/files.h"

#include <algorithm>
#include <array>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

namespace coppice::test {
namespace {

using namespace std::string_view_literals;

class ReadFile : public Files {
 protected:
  const std::string images_ = idx_bytes({3, 2, 2}, "\x00\x01\x02\x03\xff\x01\x00\x00\x00\x00\x00\x09"sv);
  const std::string labels_ = idx_bytes({3}, "\x07\x00\x07"sv);
};

/// Counts how often a file is opened.
class OpenCount {
 public:
  explicit OpenCount(const std::string& path) : descriptor_(inotify_init1(IN_NONBLOCK)) {
    inotify_add_watch(descriptor_, path.c_str(), IN_OPEN);
  }
  ~OpenCount() { ::close(descriptor_); }
  OpenCount(const OpenCount&) = delete;
  OpenCount& operator=(const OpenCount&) = delete;

  std::size_t count() {
    alignas(inotify_event) std::array<char, 4096> events{};
    const ssize_t size = ::read(descriptor_, events.data(), events.size());
    return size < 0 ? 0 : static_cast<std::size_t>(size) / sizeof(inotify_event);
  }

 private:
  int descriptor_;
};

TEST_F(ReadFile, OpensEachFileOnce) {
  std::string csv = "a,b\n";
  for (int i = 0; i < 100'000; ++i) csv += fmt::format("{},{}\n", i, i % 3);
  for (const std::string& path :
       {write("d.csv", csv), write_gz("d.csv.gz", csv), write("d", csv), write("d.svm", "1 1:2\n"),
        write("d.arff", "@relation r\n@attribute x real\n@data\n1\n"), write("d.amat", "1 2 0\n")}) {
    OpenCount opens(path);
    const Table table = read_table(path);
    EXPECT_EQ(opens.count(), 1U) << path;
    EXPECT_EQ(table.info().checksum, checksum(read_file(path)));
    EXPECT_EQ(table.name(), path);
  }
  const std::string images = write("x-images-idx3-ubyte", images_);
  OpenCount image_opens(images);
  OpenCount label_opens(write("x-labels-idx1-ubyte", labels_));
  read_table(images);
  EXPECT_EQ(image_opens.count(), 1U);
  EXPECT_EQ(label_opens.count(), 1U);
}

TEST_F(ReadFile, TheChecksumOfImagesCoversBothFiles) {
  const std::string path = write("x-images-idx3-ubyte", images_);
  const auto sum = [&] { return read_table(path).info().checksum.value(); };
  const std::uint32_t alone = sum();
  EXPECT_EQ(alone, checksum(images_));
  write("x-labels-idx1-ubyte", labels_);
  EXPECT_EQ(sum(), checksum(fmt::format("{:08x}{:08x}", checksum(images_), checksum(labels_))));
  write("x-labels-idx1-ubyte", idx_bytes({3}, "\x07\x00\x01"sv));
  EXPECT_NE(sum(), checksum(fmt::format("{:08x}{:08x}", checksum(images_), checksum(labels_))));
}

TEST_F(ReadFile, PackedImagesFindPlainLabels) {
  const std::string path = write_gz("train-images.idx3-ubyte.gz", images_);
  const std::string labels = write("train-labels.idx1-ubyte", labels_);
  EXPECT_EQ(labels_beside(path), labels);
  EXPECT_EQ(labels_beside(this->path("my-images")), "") << "there are none";
  const std::string plain = write("my-labels", labels_);
  EXPECT_EQ(labels_beside(this->path("my-images")), plain) << "whatever they are called";
  const Table table = read_table(path);
  EXPECT_EQ(table.rows(), 3U);
  EXPECT_EQ(table.info().target, "label");
  write("images.csv", "a,b\n1,2\n");
  write("labels.csv", "a,b\n1,2\n");
  EXPECT_EQ(read_table(this->path("images.csv")).columns(), 2U) << "only images have labels";
}

TEST_F(ReadFile, DirectoryOfTheFourFiles) {
  write_gz("train-images-idx3-ubyte.gz", images_);
  write_gz("train-labels-idx1-ubyte.gz", labels_);
  EXPECT_FALSE(test_part_of(folder_.string()));
  write("t10k-images.idx3-ubyte", idx_bytes({1, 2, 2}, "abcd"));
  write("t10k-labels.idx1-ubyte", idx_bytes({1}, "\x05"));
  EXPECT_EQ(find_source(folder_.string()).path, path("train-images-idx3-ubyte.gz"));
  EXPECT_EQ(find_source(folder_.string()).labels, path("train-labels-idx1-ubyte.gz"));
  EXPECT_EQ(find_source(folder_.string(), true).path, path("t10k-images.idx3-ubyte"));
  const auto test = test_part_of(folder_.string());
  ASSERT_TRUE(test);
  EXPECT_EQ(test->labels, path("t10k-labels.idx1-ubyte"));
  EXPECT_FALSE(test_part_of(path("t10k-images.idx3-ubyte")));
  EXPECT_EQ(read_table(folder_.string()).rows(), 3U);
  EXPECT_EQ(read_table(folder_.string(), {.test_part = true}).rows(), 1U);
}

TEST_F(ReadFile, DirectoryWithoutThemSaysWhatWasLookedFor) {
  expect_parts(message_of([&] { find_source(folder_.string()); }),
               {folder_.string(), "train-images-idx3-ubyte", "train-labels-idx1-ubyte", ".gz"});
  write("train-images-idx3-ubyte", images_);
  expect_parts(message_of([&] { find_source(folder_.string()); }), {"labels of its images"});
  expect_parts(message_of([&] { find_source(folder_.string(), true); }), {"t10k-images-idx3-ubyte"});
}

TEST_F(ReadFile, MissingEmptyDirectoryPipe) {
  const auto message = [](const std::string& path) { return message_of([&] { read_table(path); }); };
  expect_parts(message(path("nowhere.csv")), {"nowhere.csv", "No such file"});
  expect_parts(message(write("empty.csv", "")), {"empty.csv", "empty"});
  expect_parts(message(write_gz("e.csv.gz", "")), {"e.csv.gz", "no data"});
  expect_parts(message_of([&] { InputFile(folder_.string()); }), {"is a directory"});
  ASSERT_EQ(::mkfifo(path("pipe.csv").c_str(), 0600), 0);
  expect_parts(message(path("pipe.csv")), {"pipe.csv", "pipe"});
}

TEST_F(ReadFile, CanBeStopped) {
  std::string csv = "a,b\n";
  for (int i = 0; i < 500'000; ++i) csv += "1,2\n";
  const std::string path = write("d.csv", csv);
  int asked = 0;
  try {
    read_table(path, {.stop = [&] { return ++asked == 3; }});
    ADD_FAILURE() << "it was not stopped";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(read_table(path, {.stop = [] { return false; }}).rows(), 500'000U);
}

TEST_F(ReadFile, HintsReachTheColumns) {
  std::string csv = "id,a,b\n";
  for (int i = 0; i < 1200; ++i) csv += fmt::format("{:04},{},{}\n", i, i, i % 2);
  const std::string path = write("d.csv", csv);
  EXPECT_EQ(read_table(path, {.texts = {"id"}}).text("id", 7), "0007");
  EXPECT_EQ(read_table(path).text("id", 7), "7") << "of so many numbers the spelling is not kept";
  EXPECT_EQ(read_table(path, {.skip = {"a"}}).column(1).storage, Column::Storage::none);
  EXPECT_EQ(read_table(path, {.numbers = {"a"}, .skip_others = true}).column(2).storage,
            Column::Storage::none);
}

}  // namespace
}  // namespace coppice::test
