#include "coppice/core/disk_queue.h"

#if defined(__linux__)
#include <array>
#include <cerrno>
#include <linux/aio_abi.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace coppice {

#if defined(__linux__)

namespace {

constexpr unsigned most_requests = 512;  ///< at a time; more are done at once

}  // namespace

DiskQueue::DiskQueue(const ScratchFile& file) : file_(&file) {
  if (file.direct_descriptor() >= 0) ::syscall(SYS_io_setup, most_requests, &queue_);
}

DiskQueue::~DiskQueue() {
  if (queue_ != 0) ::syscall(SYS_io_destroy, queue_);
}

void DiskQueue::start(Request& request) {
  if (queue_ != 0 && request.way == ScratchFile::Way::direct) {
    request.done = false;
    request.error = nullptr;
    iocb block{};
    block.aio_data = reinterpret_cast<std::uintptr_t>(&request);
    block.aio_lio_opcode = request.kind == Request::Kind::read ? IOCB_CMD_PREAD : IOCB_CMD_PWRITE;
    block.aio_fildes = static_cast<std::uint32_t>(file_->direct_descriptor());
    block.aio_buf = reinterpret_cast<std::uintptr_t>(request.bytes.data());
    block.aio_nbytes = request.bytes.size();
    block.aio_offset = static_cast<std::int64_t>(request.at);
    std::array<iocb*, 1> blocks{&block};
    if (::syscall(SYS_io_submit, queue_, blocks.size(), blocks.data()) == 1) return;
  }
  perform(request);
}

/// Asks the system what is done, or waits for the thread that asks.
void DiskQueue::receive(std::unique_lock<std::mutex>& lock) {
  if (receiving_) {
    received_.wait(lock);
    return;
  }
  receiving_ = true;
  lock.unlock();
  std::array<io_event, 64> events{};
  const long count = ::syscall(SYS_io_getevents, queue_, 1L, events.size(), events.data(), nullptr);
  lock.lock();
  receiving_ = false;
  for (long i = 0; i < count; ++i) {
    auto& request = *reinterpret_cast<Request*>(events[static_cast<std::size_t>(i)].data);
    if (events[static_cast<std::size_t>(i)].res == static_cast<std::int64_t>(request.bytes.size()))
      request.done = true;
    else
      perform(request);  // once more, by a call that says what is wrong
  }
  received_.notify_all();
}

#else

DiskQueue::DiskQueue(const ScratchFile& file) : file_(&file) {}
DiskQueue::~DiskQueue() = default;
void DiskQueue::start(Request& request) {
  perform(request);
}
void DiskQueue::receive(std::unique_lock<std::mutex>& lock) {
  received_.wait(lock);
}

#endif

void DiskQueue::perform(Request& request) const {
  request.error = nullptr;
  try {
    if (request.kind == Request::Kind::read)
      file_->read(request.at, request.bytes, request.way);
    else
      file_->write(request.at, request.bytes, request.way);
  } catch (...) {
    request.error = std::current_exception();
  }
  request.done = true;
}

void DiskQueue::wait(const Request& request) {
  std::unique_lock lock(mutex_);
  while (!request.done) receive(lock);
  if (request.error) std::rethrow_exception(request.error);
}

void DiskQueue::end(const Request& request) {
  std::unique_lock lock(mutex_);
  while (!request.done) receive(lock);
}

}  // namespace coppice
