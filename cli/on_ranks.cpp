#include "cli/on_ranks.h"

#include "coppice/core/error.h"
#include "coppice/ranks/serve.h"

#include "cli/program.h"
#include "cli/signals.h"
#include "cli/streams.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <utility>

namespace coppice::cli {

namespace {

/// For rank 0 to say its sentence where it cannot be asked whether it has: a launcher ends it once another rank ended with a
/// mistake.
constexpr std::chrono::seconds for_a_sentence{4};

/// Where a rank is gone, MPI would wait for it for ever: the process just ends, and the launcher ends what is left.
[[noreturn]] void end_at_once(int code) {
  std::fflush(stdout);
  std::_Exit(code);
}

int led(std::string_view program, std::vector<std::string> arguments,
        const std::function<int(Ranks*)>& command) {
  const std::unique_ptr<Messenger> messenger = make_messenger();
  Ranks ranks(*messenger);
  const int code = complaining(program, [&] {
    ranks.meet(std::move(arguments));
    return command(&ranks);
  });
  if (messenger->lost()) end_at_once(code);
  ranks.quit(code);
  return code;
}

/// Ranks other than 0 end when it tells them to: it hears of signals, too. Which of them speaks if it is gone: the first.
int followed(std::string_view program, std::vector<std::string> arguments, std::size_t rank) {
  catch_signals();
  std::unique_ptr<Messenger> messenger;
  try {
    messenger = make_messenger();
    return serve(*messenger, std::move(arguments));
  } catch (const Error& error) {
    std::this_thread::sleep_for(rank == 1 ? for_a_sentence : for_a_sentence * 3 / 2);
    if (!messenger || !messenger->lost()) throw;
    keep_silent(rank > 1);
    end_at_once(complain(program, error.what()));
  }
}

}  // namespace

int on_ranks(std::string_view program, std::vector<std::string> arguments,
             const std::function<int(Ranks*)>& command) {
  const std::optional<Launch> launch = launched();
  if (!launch) return command(nullptr);
  keep_silent(launch->rank > 0);
  return launch->rank == 0 ? led(program, std::move(arguments), command)
                           : followed(program, std::move(arguments), launch->rank);
}

void add_data_from(CLI::App& command, std::string& text) {
  command
      .add_option(
          "--data-from", text,
          "under mpirun: root reads the data and hands it on, or every rank reads it where it is shared")
      ->check(CLI::IsMember({"root", "shared"}))
      ->default_str("root");
}

DataFrom data_from(const std::string& text) {
  return text == "shared" ? DataFrom::shared : DataFrom::root;
}

}  // namespace coppice::cli
