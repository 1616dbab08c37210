#include "cli/on_ranks.h"

#include "coppice/core/error.h"
#include "coppice/ranks/serve.h"

#include "cli/program.h"
#include "cli/streams.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

namespace coppice::cli {

namespace {

/// Where a rank is gone, MPI would wait for it for ever: the process just ends, and the launcher ends what is left.
[[noreturn]] void end_at_once(std::string_view program, const Error& error) {
  const int code = complain(program, error.what());
  std::fflush(stdout);
  std::_Exit(code);
}

int served(std::string_view program, Messenger& messenger, std::vector<std::string> arguments) {
  try {
    return serve(messenger, std::move(arguments));
  } catch (const Error& error) {
    if (!messenger.lost()) throw;
    keep_silent(messenger.rank() > 1);  // one speaks, now that rank 0 cannot
    end_at_once(program, error);
  }
}

}  // namespace

int on_ranks(std::string_view program, std::vector<std::string> arguments,
             const std::function<int(Ranks*)>& command) {
  const std::optional<Launch> launch = launched();
  if (!launch) return command(nullptr);
  keep_silent(launch->rank > 0);
  const std::unique_ptr<Messenger> messenger = make_messenger();
  if (launch->rank > 0) return served(program, *messenger, std::move(arguments));
  try {
    Ranks ranks(*messenger, std::move(arguments));
    const int code = command(&ranks);
    ranks.quit(code);
    return code;
  } catch (const Error& error) {
    if (messenger->lost()) end_at_once(program, error);
    throw;
  }
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
