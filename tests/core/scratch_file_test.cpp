#include "coppice/core/scratch_file.h"

#include "coppice/core/pages.h"

#include "tests/support.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <gmock/gmock.h>
#include <optional>
#include <sys/mman.h>
#include <sys/resource.h>
#include <vector>

namespace coppice::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// With TMPDIR as a test sets it.
class Scratch : public Folder {
 protected:
  void SetUp() override {
    Folder::SetUp();
    if (const char* value = std::getenv("TMPDIR")) before_ = value;
    ::setenv("TMPDIR", folder_.c_str(), 1);
  }
  void TearDown() override {
    before_ ? ::setenv("TMPDIR", before_->c_str(), 1) : ::unsetenv("TMPDIR");
    Folder::TearDown();
  }

 private:
  std::optional<std::string> before_;
};

std::vector<std::byte> some_bytes(std::size_t count, unsigned seed) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 31 + seed);
  return bytes;
}

TEST_F(Scratch, GivesBackWhatWasWrittenAndHasNoName) {
  ScratchFile file;
  EXPECT_EQ(ScratchFile::folder(), folder_.string());
  const std::vector<std::byte> one = some_bytes(100'000, 1);
  const std::vector<std::byte> other = some_bytes(70'001, 2);
  const std::size_t first = file.extend(one.size());
  const std::size_t second = file.extend(other.size());
  EXPECT_GE(second, first + one.size());
  EXPECT_EQ(second % ScratchFile::map_unit, 0U);
  file.write(first, one);
  const std::span<std::byte> mapped = file.map(second, other.size());
  std::ranges::copy(other, mapped.begin());
  ASSERT_EQ(::madvise(mapped.data(), mapped.size(), MADV_DONTNEED), 0);
  EXPECT_TRUE(std::ranges::equal(mapped, other)) << "it leaves the memory, not the file";
  ::munmap(mapped.data(), mapped.size());
  std::vector<std::byte> back(one.size());
  file.read(first, back);
  EXPECT_EQ(back, one);
  back.assign(other.size() - 1, std::byte{0});
  if (!file.read_soon(second + 1, back)) file.read(second + 1, back);
  EXPECT_TRUE(std::equal(back.begin(), back.end(), other.begin() + 1));
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(Scratch, BytesPastTheSystemsMemoryAreTheSame) {
  using Way = ScratchFile::Way;
  for (const std::string& folder : {folder_.string(), std::string("/dev/shm"), std::string("/var/tmp")}) {
    ::setenv("TMPDIR", folder.c_str(), 1);
    ScratchFile whole;
    const std::vector<std::byte> bytes = some_bytes(5 * Pages::page, 3);
    const std::size_t at = whole.extend(3 * bytes.size());
    Pages pages(bytes.size());
    std::ranges::copy(bytes, pages.data());
    whole.write(at, pages.first(bytes.size()), Way::direct);
    std::vector<std::byte> back(bytes.size());
    whole.read(at, back);
    EXPECT_EQ(back, bytes) << folder;
    std::ranges::fill(pages.first(pages.size()), std::byte{0});
    whole.read(at, pages.first(bytes.size()), Way::direct);
    EXPECT_TRUE(std::ranges::equal(pages.first(bytes.size()), bytes)) << folder;
    // Not whole pages: a file system that refuses them is asked in its own way.
    whole.write(at + bytes.size() + 1, std::span(bytes).first(777), Way::direct);
    back.assign(777, std::byte{0});
    whole.read(at + bytes.size() + 1, back, Way::direct);
    EXPECT_TRUE(std::equal(back.begin(), back.end(), bytes.begin())) << folder;
  }
}

TEST_F(Scratch, ADiskThatIsFullIsOneSentence) {
  ScratchFile file;
  file.extend(1000);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit less = before;
  less.rlim_cur = 1'000'000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &less), 0);
  const std::string said = message_of([&] { file.extend(50'000'000); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_THAT(said, AllOf(HasSubstr(folder_.string()), HasSubstr("cannot grow to 0.05 GB"),
                          HasSubstr("let TMPDIR name a directory with more room, or give more `memory`")));
}

TEST_F(Scratch, AFolderThatIsNotThereIsOneSentence) {
  ::setenv("TMPDIR", path("nowhere").c_str(), 1);
  EXPECT_THAT(message_of([] { const ScratchFile file; }),
              AllOf(HasSubstr(path("nowhere")), HasSubstr("let TMPDIR name a directory")));
}

TEST_F(Scratch, WithoutTmpdirItLiesWhereDisksAre) {
  ::unsetenv("TMPDIR");
  EXPECT_NE(ScratchFile::folder(), "/tmp") << "which is memory on many machines";
}

}  // namespace
}  // namespace coppice::test
