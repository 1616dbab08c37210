#include "coppice/core/file.h"

#include "tests/support.h"

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>

#include <gtest/gtest.h>
#include <zlib.h>

namespace coppice {
namespace {

using test::message_of;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// Files cannot be larger as long as it lives.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

class File : public test::Folder {
 protected:
  std::string at(const std::string& name) const { return path(name); }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }
};

std::string read_through(const std::string& path, std::size_t chunk) {
  InputFile file(path);
  std::string bytes, buffer(chunk, '\0');
  while (const std::size_t n = file.read(buffer.data(), buffer.size())) bytes.append(buffer, 0, n);
  return bytes;
}

std::string packed(const std::string& path, const std::string& bytes) {
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
  return read_file(path);
}

std::string sample() {
  std::string bytes;
  for (int i = 0; i < 100000; ++i) bytes += static_cast<char>(i % 509 * (i % 127) % 251);
  return bytes;
}

TEST_F(File, WritingReplacesTheWholeFileAndLeavesNothingBeside) {
  write_file(at("a"), sample());
  EXPECT_EQ(read_file(at("a")), sample());
  write_file(at("a"), "new");
  EXPECT_EQ(read_file(at("a")), "new");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(File, ThreadsThatWriteTheSameFileLeaveTheWholeOfOne) {
  const std::vector<std::string> texts{std::string(200000, 'a'), std::string(300000, 'b'), "c"};
  std::vector<std::thread> writers;
  for (const std::string& text : texts) {
    writers.emplace_back([&] {
      for (int round = 0; round < 20; ++round) write_file(at("a"), text);
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_THAT(texts, ::testing::Contains(read_file(at("a"))));
  EXPECT_EQ(entries(), 1U);
}

TEST_F(File, AFailedWriteLeavesTheOldFile) {
  const std::string path = write("a", "old");
  const SizeLimit limit(1000);
  const std::string larger(2000, 'x');
  EXPECT_THAT(message_of([&] { write_file(path, larger); }),
              AllOf(HasSubstr("cannot write " + path), HasSubstr("ulimit -f")));
  EXPECT_THAT(message_of([&] { write_own_file(path, larger); }), HasSubstr("cannot write " + path));
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(File, NamesMayBeAsLongAsTheFileSystemTakes) {
  const std::string path = at(std::string(255, 'n'));
  write_file(path, "old");
  write_file(path, "new");
  EXPECT_EQ(read_file(path), "new");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(File, PiecesAreOneFileAndAMistakeAmongThemLeavesTheOldOne) {
  const auto pieces = [](const PutPiece& put) {
    put("one,");
    put("");
    put("two");
  };
  write_file(at("a"), pieces);
  EXPECT_EQ(read_file(at("a")), "one,two");
  const auto broken = [](const PutPiece& put) {
    put("three");
    fail("no more");
  };
  EXPECT_EQ(message_of([&] { write_file(at("a"), broken); }), "no more");
  EXPECT_EQ(read_file(at("a")), "one,two");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(File, WhatIsMadeFollowsTheUmask) {
  const mode_t before = ::umask(027);
  write_file(at("file"), "x");
  write_own_file(at("own"), "x");
  AppendedFile(at("grown")).append("x");
  const std::error_code error = make_directories(at("folder/below"));
  ::umask(before);
  EXPECT_FALSE(error);
  const auto mode = [&](const char* name) {
    struct stat info {};
    EXPECT_EQ(::stat(at(name).c_str(), &info), 0);
    return info.st_mode & 0777U;
  };
  for (const char* name : {"file", "own", "grown"}) EXPECT_EQ(mode(name), 0640U) << name;
  for (const char* name : {"folder", "folder/below"}) EXPECT_EQ(mode(name), 0750U) << name;
}

TEST_F(File, DirectoriesAreMadeOnceAndAFileInTheirPlaceIsAMistake) {
  EXPECT_FALSE(make_directories(at("a/b/c/")));
  EXPECT_TRUE(std::filesystem::is_directory(at("a/b/c")));
  EXPECT_FALSE(make_directories(at("a/b/c")));
  write_file(at("a/file"), "x");
  EXPECT_EQ(make_directories(at("a/file")), std::errc::not_a_directory);
  EXPECT_EQ(make_directories(at("a/file/below")), std::errc::not_a_directory);
}

TEST_F(File, NamesOfFilesBesideTheirTargetsAreNewEachTime) {
  const Descriptor watch(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  ASSERT_TRUE(watch);
  ASSERT_GE(::inotify_add_watch(watch.get(), folder_.c_str(), IN_CREATE), 0);
  write_file(at("a"), "1");
  write_own_file(at("a"), "2");
  alignas(inotify_event) std::array<char, 4096> buffer{};
  const ssize_t size = ::read(watch.get(), buffer.data(), buffer.size());
  std::vector<std::string> names;
  for (ssize_t i = 0; i < size;) {
    const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + i);
    names.emplace_back(event->name);
    i += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
  }
  ASSERT_EQ(names.size(), 2U);
  EXPECT_NE(names[0], names[1]);
  for (const std::string& name : names) EXPECT_EQ(target_of_leftover(name), "a") << name;
}

TEST_F(File, OnlyNamesOfFilesBesideTheirTargetsAreTakenForThem) {
  EXPECT_EQ(target_of_leftover("net-0.coppice.0123456789abcdef.tmp"), "net-0.coppice");
  for (const char* name : {"a.tmp", "a.0123456789abcde.tmp", "a.0123456789abcdeg.tmp",
                           "a0123456789abcdef.tmp", "a.0123456789abcdef.tm", "a.12345-0.tmp", "", ".tmp"})
    EXPECT_EQ(target_of_leftover(name), std::nullopt) << name;
}

TEST_F(File, OnlyFilesAreReadWhole) {
  write("a", "abcdef");
  EXPECT_EQ(read_file(at("a"), 3), "abc");
  EXPECT_EQ(read_file(at("a"), 7), "abcdef");
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  for (const std::string& path : {at("pipe"), std::string("/dev/zero"), std::string("/dev/urandom")})
    EXPECT_THAT(message_of([&] { read_file(path); }), HasSubstr(path + ": is a pipe or device")) << path;
  EXPECT_THAT(message_of([&] { read_file(folder_.string()); }), HasSubstr("it is a directory"));
}

TEST_F(File, OwnFilesReplaceLinksAndPipes) {
  write("outside", "precious");
  std::filesystem::create_symlink("outside", at("link"));
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  for (const char* name : {"link", "pipe"}) {
    write_own_file(at(name), "ours");
    EXPECT_TRUE(std::filesystem::is_regular_file(std::filesystem::symlink_status(at(name)))) << name;
    EXPECT_EQ(read_file(at(name)), "ours");
  }
  std::filesystem::create_symlink("outside", at("grown"));
  EXPECT_THAT(message_of([&] { AppendedFile(at("grown")).append("more"); }), HasSubstr("symbolic link"));
  EXPECT_EQ(read_file(at("outside")), "precious");
}

TEST_F(File, AFailedRenameCleansUp) {
  std::filesystem::create_directories(at("taken/inside"));
  EXPECT_THAT(message_of([&] { write_file(at("taken"), "new"); }), HasSubstr("cannot write"));
  EXPECT_EQ(entries(), 1U);
  EXPECT_THAT(message_of([&] { write_file(at("nowhere/file"), "new"); }), HasSubstr("No such file"));
}

TEST_F(File, PlainAndPackedFilesReadTheSame) {
  write_file(at("plain"), sample());
  packed(at("packed.gz"), sample());
  for (const std::size_t chunk : {1000U, 1U << 20}) {
    EXPECT_EQ(read_through(at("plain"), chunk), sample());
    EXPECT_EQ(read_through(at("packed.gz"), chunk), sample());
  }
}

TEST_F(File, BrokenGzipIsAnErrorThatNamesTheFile) {
  std::string bytes = packed(at("a.gz"), sample());
  write_file(at("cut.gz"), bytes.substr(0, bytes.size() / 2));
  EXPECT_THAT(message_of([&] { read_through(at("cut.gz"), 1000); }),
              AllOf(HasSubstr("cut.gz"), HasSubstr("gzip")));
  bytes[bytes.size() - 6] ^= 1;  // in the checksum
  write_file(at("bad.gz"), bytes);
  EXPECT_THAT(message_of([&] { read_through(at("bad.gz"), 1000); }), HasSubstr("broken gzip"));
}

TEST_F(File, MembersOfGzipAreJoinedAndWhatFollowsThemIsIgnored) {
  const std::string one = packed(at("a.gz"), "first,");
  const std::string two = packed(at("b.gz"), sample());
  for (const std::string tail : {"", "\x1f", "garbage that is no gzip", "\0\0\0\0"}) {
    write_file(at("all.gz"), one + two + tail);
    for (const std::size_t chunk : {1U, 7U, 1U << 20}) {
      if (chunk == 1 && !tail.empty()) continue;
      EXPECT_EQ(read_through(at("all.gz"), chunk), "first," + sample()) << tail;
    }
    InputFile file(at("all.gz"));
    std::string buffer(1U << 20U, ' ');
    file.read(buffer.data(), buffer.size());
    EXPECT_EQ(file.checksum(), checksum(one + two + tail)) << "of the file as it lies on disk";
  }
  write_file(at("half.gz"), one + two.substr(0, two.size() / 3));
  EXPECT_THAT(message_of([&] { read_through(at("half.gz"), 1000); }), HasSubstr("unexpected end"));
}

TEST_F(File, ReadingLeavesTheChecksumOfTheBytesThatWereRead) {
  write_file(at("plain"), sample());
  for (const std::size_t read : {0U, 5U, 100000U, 1U << 20}) {
    InputFile file(at("plain"));
    std::string buffer(read, ' ');
    EXPECT_EQ(file.read(buffer.data(), read), std::min<std::size_t>(read, sample().size()));
    EXPECT_EQ(file.checksum(), checksum(sample())) << read;
  }
  const std::string large(700'000, 'x');
  write_file(at("large"), large);
  InputFile file(at("large"));
  std::string buffer(large.size() + 10, ' ');
  EXPECT_EQ(file.read(buffer.data(), buffer.size()), large.size()) << "as far as the file goes";
  EXPECT_EQ(file.read(buffer.data(), buffer.size()), 0U);
  EXPECT_EQ(file.checksum(), checksum(large));
}

TEST_F(File, TheHeadOfAStreamCanBeLookedAtAgainAndAgain) {
  write_file(at("a"), sample());
  for (const std::size_t most : {10U, 1000U, 1U << 20}) {
    InputFile file(at("a"));
    HeadStream stream(file, most);
    std::string buffer(sample().size() + 1, ' ');
    EXPECT_EQ(stream.peek(4), sample().substr(0, 4));
    for (int look = 0; look < 3; ++look) {
      stream.rewind();
      std::string seen;
      while (const std::size_t n = stream.read(buffer.data(), 300)) seen.append(buffer, 0, n);
      EXPECT_EQ(seen, sample().substr(0, most));
    }
    stream.release();
    std::string all;
    while (const std::size_t n = stream.read(buffer.data(), 777)) all.append(buffer, 0, n);
    EXPECT_EQ(all, sample());
  }
}

TEST_F(File, MissingEmptyAndDirectoryAreToldApart) {
  EXPECT_THAT(message_of([&] { require_file(at("no"), "data"); }),
              AllOf(HasSubstr(at("no")), HasSubstr("data file")));
  EXPECT_THAT(message_of([&] { require_file(at(""), "model"); }), HasSubstr("is a directory"));
  { const std::ofstream empty(at("empty")); }
  EXPECT_THAT(message_of([&] { InputFile file(at("empty")); }), HasSubstr("is empty"));
  EXPECT_THAT(message_of([&] { read_file(at("no")); }), HasSubstr("cannot open"));
}

TEST_F(File, ChecksumIsTheCrcOfGzipAndCanBeContinued) {
  EXPECT_EQ(checksum("123456789"), 0xCBF43926U);
  EXPECT_EQ(checksum("6789", checksum("12345")), 0xCBF43926U);
  EXPECT_EQ(checksum(""), 0U);
}

TEST_F(File, ALinkStaysALinkAndItsFileIsWritten) {
  write_file(at("real"), "old");
  std::filesystem::create_symlink(at("real"), at("link"));
  write_file(at("link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(at("link")));
  EXPECT_EQ(read_file(at("real")), "new");
  EXPECT_EQ(entries(), 2U);
}

TEST_F(File, APipeIsWrittenIntoNotReplaced) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  std::string seen;
  std::thread reader([&] { std::getline(std::ifstream(at("pipe")), seen); });
  write_file(at("pipe"), "through\n");
  reader.join();
  EXPECT_EQ(seen, "through");
  EXPECT_TRUE(std::filesystem::is_fifo(at("pipe")));
}

TEST_F(File, ADirectoryIsNoTarget) {
  EXPECT_THAT(message_of([&] { write_file(at(""), "x"); }), HasSubstr("is a directory"));
}

}  // namespace
}  // namespace coppice
