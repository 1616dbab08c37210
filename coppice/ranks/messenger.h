#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

// What ranks, processes that one launcher started on one or more machines, tell each other. mpi/ alone names the library;
// no_mpi/ holds the same functions for builds without it.
namespace coppice {

/// What a message is about; both sides are the same program, which is the first thing they tell each other.
enum class Subject : std::uint8_t {
  hello,    ///< to rank 0: who it is
  file,     ///< to others: a part of a file
  setup,    ///< to others: what is to be trained
  ready,    ///< to rank 0: it can train, or why not
  task,     ///< to others: nets to train
  trials,   ///< to others: the same of a search
  epoch,    ///< to rank 0: a net trained one
  result,   ///< to rank 0: a trial ended
  rows,     ///< to others: a question about the rows that they hold
  sums,     ///< to rank 0: the answer
  stopped,  ///< to rank 0: a net as it was when it was told to stop
  failed,   ///< to rank 0: why it cannot go on
  stop,     ///< to others: leave nets as they are after their last epoch
  quit,     ///< to others: all is done
  alive     ///< both ways, now and then; nobody sees it
};

struct Message {
  std::size_t from = 0;
  Subject subject = Subject::alive;
  std::string bytes;
};

/// Carries messages between rank 0 and the others; those between two ranks arrive in their order.
class Messenger {
 public:
  virtual ~Messenger() = default;
  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;

  /// Returns at once. Any thread may call it; one may write to oneself.
  virtual void send(std::size_t to, Subject subject, std::string bytes) = 0;
  /// Waits until few bytes that were sent are still here, or `stop` says so.
  virtual void drain(const std::function<bool()>& stop) = 0;
  /// The next message, or nothing if none comes in that time. Fails if a rank it depends on has not been heard of for
  /// `silence`: rank 0 depends on all, the others on rank 0.
  virtual std::optional<Message> receive(std::chrono::milliseconds wait) = 0;
  /// From now on messages are waited for: they travel at once, and somebody looks for them all the time.
  virtual void hurry() {}
  /// Whether that happened: then nobody is to be waited for, and the process should just end.
  virtual bool lost() const = 0;
};

/// So long nothing may come from a rank; each sends something ten times as often.
constexpr std::chrono::seconds silence{20};

/// What a launcher (mpirun, srun) tells the processes it starts in their environment.
struct Launch {
  std::size_t rank = 0;
  std::size_t size = 1;
};
/// Nothing if none did, or it started one alone.
std::optional<Launch> launched();

/// Fails where this build has no MPI. To be called once, first of all; what it gives is to be destroyed by the same thread.
std::unique_ptr<Messenger> make_messenger();

}  // namespace coppice
