#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <thread>
#include <utility>

namespace coppice {

/// Threads that do a task each; they are waited for in the end.
class TaskThreads {
 public:
  TaskThreads() = default;
  ~TaskThreads() {
    for (Slot& slot : slots_) slot.thread.join();
  }
  TaskThreads(const TaskThreads&) = delete;
  TaskThreads& operator=(const TaskThreads&) = delete;

  /// `task` throws nothing.
  void begin(std::function<void()> task) {
    slots_.remove_if([](Slot& slot) {
      if (!slot.ended) return false;
      slot.thread.join();
      return true;
    });
    Slot& slot = slots_.emplace_back();
    slot.thread = std::thread([&slot, task = std::move(task)] {
      task();
      slot.ended = true;
    });
  }

 private:
  struct Slot {
    std::atomic<bool> ended = false;
    std::thread thread;
  };
  std::list<Slot> slots_;
};

}  // namespace coppice
