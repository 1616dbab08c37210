// Reads and writes that go on while others compute bring what plain ones do, and say what went wrong.
#include "coppice/core/disk_queue.h"

#include "coppice/core/pages.h"

#include "tests/support.h"

#include <algorithm>
#include <csignal>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <thread>
#include <vector>

namespace coppice::test {
namespace {

using Kind = DiskQueue::Request::Kind;

constexpr std::size_t bytes = 3 * Pages::page;

TEST(DiskQueue, BringsWhatWasWritten) {
  constexpr std::size_t count = 600;  // more than it takes at a time
  ScratchFile file;
  const std::size_t begin = file.extend(count * bytes);
  DiskQueue queue(file);
  const Pages pages(count * bytes);
  const auto all = [&](Kind kind) {
    std::vector<DiskQueue::Request> requests(count);
    for (std::size_t i = 0; i < count; ++i) {
      requests[i] = {.kind = kind, .at = begin + i * bytes, .bytes = {pages.data() + i * bytes, bytes}};
      queue.start(requests[i]);
    }
    std::thread other([&] {
      for (std::size_t i = 0; i < count; i += 2) queue.wait(requests[i]);
    });
    for (std::size_t i = 1; i < count; i += 2) queue.wait(requests[i]);
    other.join();
  };
  for (std::size_t i = 0; i < pages.size(); ++i) pages.data()[i] = static_cast<std::byte>(i / 1'000);
  all(Kind::write);
  std::ranges::fill(pages.first(pages.size()), std::byte{0});
  all(Kind::read);
  for (std::size_t i = 0; i < pages.size(); ++i)
    ASSERT_EQ(pages.data()[i], static_cast<std::byte>(i / 1'000)) << "byte " << i;
}

TEST(DiskQueue, SaysWhatWentWrong) {
  ScratchFile file;
  const std::size_t begin = file.extend(bytes);
  DiskQueue queue(file);
  const Pages pages(bytes);
  DiskQueue::Request beyond{.at = begin + ScratchFile::map_unit, .bytes = pages.first(bytes)};
  queue.start(beyond);
  for (int twice = 0; twice < 2; ++twice)
    EXPECT_THAT(message_of([&] { queue.wait(beyond); }), ::testing::HasSubstr("it ends too early"));
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit less = before;
  less.rlim_cur = 1;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &less), 0);
  DiskQueue::Request full{.kind = Kind::write, .at = begin + bytes, .bytes = pages.first(bytes)};
  queue.start(full);
  EXPECT_THAT(message_of([&] { queue.wait(full); }), ::testing::HasSubstr("cannot write the scratch file"));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
}

}  // namespace
}  // namespace coppice::test
