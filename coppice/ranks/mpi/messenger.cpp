#include "coppice/ranks/messenger.h"

#include "coppice/core/fail.h"
#include "coppice/device/signals.h"

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <list>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

namespace coppice {

namespace {

using Clock = std::chrono::steady_clock;

/// So often it looks whether there is something to do: a net takes seconds, and a look microseconds.
constexpr auto look_again = std::chrono::microseconds(2000);
/// The same where a step of a net waits for the answer.
constexpr auto look_soon = std::chrono::microseconds(20);
/// May wait to be sent: more of a file is read only then.
constexpr std::size_t few_bytes = std::size_t{64} << 20U;
/// For the last messages to leave, when all is done.
constexpr auto farewell = std::chrono::seconds(10);

/// One thread does all of MPI: it never waits for anybody, so it sees when nobody answers.
class MpiMessenger final : public Messenger {
 public:
  MpiMessenger() {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    rank_ = static_cast<std::size_t>(rank);
    size_ = static_cast<std::size_t>(size);
    heard_.assign(size_, Clock::now());
    if (provided < MPI_THREAD_SERIALIZED) {
      MPI_Finalize();
      fail_as(
          ErrorKind::unsupported,
          "this MPI lets no other thread than the first send messages; use one with MPI_THREAD_SERIALIZED");
    }
    thread_ = std::thread([this] { work(); });
  }

  ~MpiMessenger() override {
    ending_ = true;
    posted_.notify_all();
    thread_.join();
    if (lost()) return;  // MPI would wait for who is not there
    // Nor for who dies now, or has better things to do than to end.
    std::thread([] {
      std::this_thread::sleep_for(silence);
      std::_Exit(2);
    }).detach();
    MPI_Finalize();
  }

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }

  void send(std::size_t to, Subject subject, std::string bytes) override {
    const std::lock_guard lock(mutex_);
    if (to == rank_) {
      inbox_.push_back({.from = rank_, .subject = subject, .bytes = std::move(bytes)});
      arrived_.notify_one();
    } else {
      unsent_ += bytes.size();
      outbox_.push_back(
          {.request = MPI_REQUEST_NULL, .peer = to, .message = {rank_, subject, std::move(bytes)}});
      posted_.notify_one();
    }
  }

  void drain(const std::function<bool()>& stop) override {
    std::unique_lock lock(mutex_);
    while (unsent_ > few_bytes && !lost_ && !stop()) left_.wait_for(lock, std::chrono::milliseconds(100));
  }

  std::optional<Message> receive(std::chrono::milliseconds wait) override {
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, wait, [&] { return !inbox_.empty() || lost_; });
    if (lost_) {
      fail_as(ErrorKind::internal,
              "rank {} has not answered for {} s, so the run ends here: a process or a machine died, or the "
              "network did; what is written is whole, and --resume goes on from it",
              *lost_, silence.count());
    }
    if (inbox_.empty()) return std::nullopt;
    Message message = std::move(inbox_.front());
    inbox_.pop_front();
    return message;
  }

  void hurry() override { hurried_ = true; }

  bool lost() const override {
    const std::lock_guard lock(mutex_);
    return lost_.has_value();
  }

 private:
  struct Transfer {
    MPI_Request request;
    std::size_t peer;
    Message message;
  };

  void work() {
    const SignalShield shield;
    auto ended = Clock::time_point::max();
    while (!lost()) {
      const bool ending = ending_;  // asked first: what was posted before that is sent below
      const bool sent = send_new();
      const bool came = take_new();
      const bool moved = finish() || sent || came;
      tell_alive();
      watch();
      if (ending && ended == Clock::time_point::max()) ended = Clock::now();
      if (ending && !moved && (leaving_.empty() || Clock::now() - ended > farewell)) break;
      if (moved) continue;
      std::unique_lock lock(mutex_);
      posted_.wait_for(lock, hurried_ ? look_soon : look_again, [&] { return !outbox_.empty(); });
    }
  }

  bool send_new() {
    std::deque<Transfer> posted;
    {
      const std::lock_guard lock(mutex_);
      posted.swap(outbox_);
    }
    for (Transfer& transfer : posted) begin_sending(std::move(transfer));
    return !posted.empty();
  }

  void begin_sending(Transfer transfer) {
    leaving_.push_back(std::move(transfer));  // stays where it is until it has left
    Transfer& t = leaving_.back();
    check(
        MPI_Isend(t.message.bytes.data(), static_cast<int>(t.message.bytes.size()), MPI_BYTE,
                  static_cast<int>(t.peer), static_cast<int>(t.message.subject), MPI_COMM_WORLD, &t.request),
        t.peer);
  }

  bool take_new() {
    int there = 0;
    MPI_Message handle = MPI_MESSAGE_NULL;
    MPI_Status status;
    if (MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &handle, &status) != MPI_SUCCESS ||
        there == 0)
      return false;
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    const auto from = static_cast<std::size_t>(status.MPI_SOURCE);
    coming_.push_back({.request = MPI_REQUEST_NULL,
                       .peer = from,
                       .message = {from, static_cast<Subject>(status.MPI_TAG),
                                   std::string(static_cast<std::size_t>(count), '\0')}});
    Transfer& t = coming_.back();
    check(MPI_Imrecv(t.message.bytes.data(), count, MPI_BYTE, &handle, &t.request), from);
    heard_[from] = Clock::now();
    return true;
  }

  /// Lets go of what has left, and hands on what has come. Those of one rank come in their order: a later one waits for an
  /// earlier one that is longer on its way.
  bool finish() {
    bool moved = false;
    for (auto it = leaving_.begin(); it != leaving_.end();) {
      int done = 0;
      check(MPI_Test(&it->request, &done, MPI_STATUS_IGNORE), it->peer);
      if (done == 0) {
        ++it;
        continue;
      }
      if (const std::size_t bytes = it->message.bytes.size(); bytes > 0) {
        const std::lock_guard lock(mutex_);
        unsent_ -= bytes;
        left_.notify_all();
      }
      it = leaving_.erase(it);
    }
    std::vector<bool> held(size_);
    for (auto it = coming_.begin(); it != coming_.end();) {
      int done = 0;
      if (!held[it->peer]) check(MPI_Test(&it->request, &done, MPI_STATUS_IGNORE), it->peer);
      if (done == 0) {
        held[it->peer] = true;
        ++it;
        continue;
      }
      heard_[it->peer] = Clock::now();
      if (it->message.subject != Subject::alive) {
        const std::lock_guard lock(mutex_);
        inbox_.push_back(std::move(it->message));
        arrived_.notify_one();
      }
      it = coming_.erase(it);
      moved = true;
    }
    return moved;
  }

  void tell_alive() {
    if (Clock::now() - told_ < silence / 10) return;
    told_ = Clock::now();
    for (std::size_t to = rank_ == 0 ? 1 : 0; to < (rank_ == 0 ? size_ : 1); ++to)
      begin_sending({.request = MPI_REQUEST_NULL, .peer = to, .message = {rank_, Subject::alive, {}}});
  }

  void watch() {
    for (std::size_t from = rank_ == 0 ? 1 : 0; from < (rank_ == 0 ? size_ : 1); ++from) {
      if (!ending_ && Clock::now() - heard_[from] > silence) lose(from);
    }
  }

  void check(int code, std::size_t peer) {
    if (code != MPI_SUCCESS) lose(peer);
  }

  void lose(std::size_t peer) {
    const std::lock_guard lock(mutex_);
    if (!lost_) lost_ = peer;
    arrived_.notify_all();
  }

  std::size_t rank_ = 0;
  std::size_t size_ = 1;
  std::list<Transfer> leaving_;  ///< of the thread alone, as the three that follow
  std::list<Transfer> coming_;
  std::vector<Clock::time_point> heard_;  ///< of each rank
  Clock::time_point told_ = Clock::now();
  std::atomic<bool> ending_ = false;
  std::atomic<bool> hurried_ = false;
  mutable std::mutex mutex_;
  std::condition_variable posted_;
  std::condition_variable arrived_;
  std::deque<Transfer> outbox_;  ///< guarded by mutex_, as all that follows
  std::deque<Message> inbox_;
  std::size_t unsent_ = 0;  ///< bytes
  std::condition_variable left_;
  std::optional<std::size_t> lost_;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<Messenger> make_messenger() {
  return std::make_unique<MpiMessenger>();
}

}  // namespace coppice
