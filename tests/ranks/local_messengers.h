#pragma once

#include "coppice/ranks/messenger.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

// Ranks that are threads of one process: what MPI does, without it.
namespace coppice::test {

struct Mailbox {
  std::mutex mutex;
  std::condition_variable arrived;
  std::deque<Message> messages;
};

class LocalMessenger final : public Messenger {
 public:
  LocalMessenger(std::shared_ptr<std::vector<Mailbox>> boxes, std::size_t rank)
      : boxes_(std::move(boxes)), rank_(rank) {}

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return boxes_->size(); }
  void send(std::size_t to, Subject subject, std::string bytes) override {
    Mailbox& box = (*boxes_)[to];
    const std::lock_guard lock(box.mutex);
    box.messages.push_back({.from = rank_, .subject = subject, .bytes = std::move(bytes)});
    box.arrived.notify_all();
  }
  void drain(const std::function<bool()>&) override {}
  std::optional<Message> receive(std::chrono::milliseconds wait) override {
    Mailbox& box = (*boxes_)[rank_];
    std::unique_lock lock(box.mutex);
    if (!box.arrived.wait_for(lock, wait, [&] { return !box.messages.empty(); })) return std::nullopt;
    Message message = std::move(box.messages.front());
    box.messages.pop_front();
    return message;
  }
  bool lost() const override { return false; }

 private:
  std::shared_ptr<std::vector<Mailbox>> boxes_;
  std::size_t rank_;
};

}  // namespace coppice::test
