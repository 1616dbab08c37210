#pragma once

#include "coppice/core/scratch_file.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <span>

namespace coppice {

/// Reads and writes of a scratch file, past the system's memory, that go on while who asked for them computes. Threads may share it.
/// It needs none of its own: one that waits for a disk would have to wait for a processor after it.
class DiskQueue {
 public:
  explicit DiskQueue(const ScratchFile& file);
  /// Of requests that were all waited for.
  ~DiskQueue();
  DiskQueue(const DiskQueue&) = delete;
  DiskQueue& operator=(const DiskQueue&) = delete;

  /// Whole Pages of the file to be read or written.
  struct Request {
    enum class Kind : std::uint8_t { read, write } kind = Kind::read;
    std::size_t at = 0;
    std::span<std::byte> bytes = {};
    ScratchFile::Way way = ScratchFile::Way::direct;  ///< cached: done at once
    bool done = true;
    std::exception_ptr error = {};
  };

  /// The request and its bytes stay where they are until they were waited for. Where the system has no queue it is done at once.
  void start(Request& request);
  /// Until it is done. Throws what went wrong; who asks again is told again.
  void wait(const Request& request);
  /// The same, whatever went wrong.
  void end(const Request& request);

 private:
  void perform(Request& request) const;
  void receive(std::unique_lock<std::mutex>& lock);

  const ScratchFile* file_;
  unsigned long queue_ = 0;  ///< the system's name of it; 0: none
  std::mutex mutex_;         ///< of all requests' `done` and `error`
  std::condition_variable received_;
  bool receiving_ = false;  ///< a thread is asking the system what is done
};

}  // namespace coppice
