#include "cli/program.h"

#include "coppice/core/error.h"

#include "cli/flags.h"
#include "cli/mistakes.h"
#include "cli/reserve.h"
#include "cli/signals.h"
#include "cli/streams.h"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace coppice::cli {

int complain(std::string_view program, std::string_view sentence) {
  say("{}: {}", program, with_dashes(sentence));
  return 2;
}

std::optional<int> parse(CLI::App& app, std::string_view program, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return complain(program, mistake_text(app, error));
  }
  const std::string text = value_mistake_text(app);
  return text.empty() ? std::nullopt : std::optional(complain(program, text));
}

namespace {

int complaining_at_length(std::string_view program, const std::function<int()>& work) {
  try {
    const int code = work();
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    return complain(program, "cannot write to standard output; is the disk full?");
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::interrupted || !is_interrupted()) return complain(program, error.what());
    complain(program, "interrupted before there was anything to keep");
    return 128 + caught_signal();
  } catch (const std::bad_alloc&) {
    return complain(program, no_memory);
  } catch (const std::filesystem::filesystem_error& error) {
    return complain(program,
                    fmt::format("{}: {}; check the path", error.path1().string(), error.code().message()));
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) != 0)
      return complain(program,
                      fmt::format("cannot write to standard output: {}; is the disk full, or nobody reading?",
                                  error.code().message()));
    const bool thread = error.code() == std::errc::resource_unavailable_try_again;
    return complain(
        program,
        fmt::format("{}{}; use fewer `threads` or lift the limits on processes and memory (ulimit -u, -v)",
                    thread ? "a thread could not be started: " : "", error.what()));
  } catch (const std::exception& error) {
    return complain(program, error.what());
  }
}

}  // namespace

int complaining(std::string_view program, const std::function<int()>& work) {
  try {
    return complaining_at_length(program, work);
  } catch (const std::bad_alloc&) {  // not even enough for a sentence
    return complain_without_memory(program);
  }
}

int guarded(std::string_view program, const std::function<int()>& work) {
  open_closed_streams();
  ignore_size_limit();
  keep_reserve(program);
  return complaining(program, work);
}

}  // namespace coppice::cli
