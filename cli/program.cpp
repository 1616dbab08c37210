#include "cli/program.h"

#include "coppice/core/error.h"

#include "cli/flags.h"
#include "cli/mistakes.h"
#include "cli/signals.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <string>

#include <fmt/format.h>

namespace coppice::cli {

int complain(std::string_view program, std::string_view sentence) {
  std::string message = with_dashes(sentence);
  std::ranges::replace_if(
      message, [](unsigned char c) { return c < 0x20; }, ' ');
  fmt::print(stderr, "{}: {}\n", program, message);
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

int guarded(std::string_view program, const std::function<int()>& work) {
  try {
    const int code = work();
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    return complain(program, "cannot write to standard output; is the disk full?");
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::interrupted || !is_interrupted()) return complain(program, error.what());
    complain(program, "interrupted before there was anything to keep");
    return 128 + caught_signal();
  } catch (const std::bad_alloc&) {
    return complain(program, "out of memory; use a smaller file, fewer nets or fewer threads");
  } catch (const std::filesystem::filesystem_error& error) {
    return complain(program,
                    fmt::format("{}: {}; check the path", error.path1().string(), error.code().message()));
  } catch (const std::exception& error) {
    return complain(program, error.what());
  }
}

}  // namespace coppice::cli
