#include "coppice/core/directory_lock.h"

#include "tests/support.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using test::message_of;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Lock : public test::Folder {
 protected:
  void expect_taken() const {
    EXPECT_THAT(message_of([&] { DirectoryLock(folder_.string()); }),
                AllOf(HasSubstr(folder_.string()), HasSubstr("another coppice process"), HasSubstr("wait")));
  }
  void expect_free() const { EXPECT_TRUE(DirectoryLock(folder_.string())); }
};

TEST_F(Lock, KeepsOthersOutAsLongAsItLives) {
  {
    const DirectoryLock lock(folder_.string());
    EXPECT_TRUE(lock);
    expect_taken();
    EXPECT_TRUE(std::filesystem::is_empty(folder_)) << "no file tells of it";
  }
  expect_free();
}

TEST_F(Lock, MovesToAnotherOwner) {
  DirectoryLock first(folder_.string());
  DirectoryLock second = std::move(first);
  EXPECT_TRUE(second);
  expect_taken();
  {
    DirectoryLock third;
    EXPECT_FALSE(third);
    third = std::move(second);
    expect_taken();
  }
  expect_free();
}

TEST_F(Lock, WhoOnlyLooksKeepsNobodyOut) {
  // A look takes the lock too, for a moment.
  const int look = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(::flock(look, LOCK_EX | LOCK_NB), 0);
  std::thread looker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    ::close(look);
  });
  expect_free();
  looker.join();
}

TEST_F(Lock, ConcernsOneDirectoryAlone) {
  std::filesystem::create_directory(path("inner"));
  const DirectoryLock outer(folder_.string());
  EXPECT_TRUE(DirectoryLock(path("inner")));
}

TEST_F(Lock, AKilledProcessLeavesNone) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const DirectoryLock lock(folder_.string());
    (void)!::write(ready[1], "x", 1);
    ::pause();
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  expect_taken();
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  expect_free();
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(Lock, NoticesThatTheDirectoryIsAnotherOne) {
  std::filesystem::create_directory(path("run"));
  const DirectoryLock lock(path("run"));
  lock.require();
  EXPECT_TRUE(DirectoryLock::is_taken(path("run")));
  std::filesystem::remove(path("run"));
  EXPECT_THAT(message_of([&] { lock.require(); }), AllOf(HasSubstr("run"), HasSubstr("removed or replaced")));
  std::filesystem::create_directory(path("run"));
  EXPECT_THAT(message_of([&] { lock.require(); }), HasSubstr("removed or replaced"));
  EXPECT_FALSE(DirectoryLock::is_taken(path("run"))) << "the new one";
  EXPECT_FALSE(DirectoryLock::is_taken(path("nowhere")));
}

TEST_F(Lock, NeedsADirectory) {
  EXPECT_THAT(message_of([&] { DirectoryLock(path("nowhere")); }), HasSubstr("nowhere"));
  write("file", "x");
  EXPECT_THAT(message_of([&] { DirectoryLock(path("file")); }), HasSubstr("file"));
}

}  // namespace
}  // namespace coppice
