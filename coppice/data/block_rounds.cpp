#include "coppice/data/block_rounds.h"

#include <thread>
#include <utility>

namespace coppice {

std::span<const CellBlock> BlockRounds::next(ThreadPool& pool, std::size_t most) {
  if (!std::exchange(begun_, true)) read_on(most);
  const std::size_t count = read_;
  if (count == 0 && failed_) std::rethrow_exception(failed_);
  if (now_.size() < count) now_.resize(count);
  for (std::size_t i = 0; i < count; ++i) std::swap(now_[i].text, soon_[i]);
  std::vector<std::exception_ptr> mistakes(count);
  bool reading = false;
  const std::thread::id caller = std::this_thread::get_id();
  pool.parallel_for(count, [&](std::size_t i) {
    // Whoever asks for progress, or to stop, is called by the thread that called.
    if (std::this_thread::get_id() == caller && !std::exchange(reading, true)) read_on(most);
    try {
      rows_.cut(now_[i]);
    } catch (...) {
      mistakes[i] = std::current_exception();
    }
  });
  if (!reading) read_on(most);
  for (const std::exception_ptr& mistake : mistakes) {
    if (mistake) std::rethrow_exception(mistake);
  }
  return std::span<const CellBlock>(now_).first(count);
}

void BlockRounds::read_on(std::size_t most) {
  read_ = 0;
  if (failed_) return;
  if (soon_.size() < most) soon_.resize(most);
  try {
    while (read_ < most && rows_.take(soon_[read_], size_)) ++read_;
  } catch (...) {
    failed_ = std::current_exception();
  }
}

}  // namespace coppice
