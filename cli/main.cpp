#include "coppice/core/error.h"
#include "coppice/device/product.h"
#include "coppice/run/run.h"

#include "cli/commands.h"
#include "cli/mistakes.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <new>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

constexpr int mistake = 2;

/// One line, whatever names and values stand in the message.
int complain(std::string message) {
  std::ranges::replace_if(
      message, [](unsigned char c) { return c < 0x20; }, ' ');
  fmt::print(stderr, "coppice: {}\n", message);
  return mistake;
}

int run(int argc, char** argv) {
  using namespace coppice::cli;
  CLI::App app{"coppice trains neural networks that find their own size"};
  app.set_version_flag(
      "--version", fmt::format("coppice {}, products by {}", coppice::version(), coppice::product_library()));
  app.require_subcommand(1);
  std::map<std::string, Action> actions{
      {"train", add_train(app)},       {"search", add_search(app)},     {"predict", add_predict(app)},
      {"evaluate", add_evaluate(app)}, {"inspect", add_inspect(app)},   {"watch", add_watch(app)},
      {"report", add_report(app)},     {"generate", add_generate(app)}, {"reproduce", add_reproduce(app)}};
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return complain(mistake_text(app, error));
  }
  if (const std::string text = value_mistake_text(app); !text.empty()) return complain(text);
  const int code = actions.at(app.get_subcommands().front()->get_name())();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return complain("cannot write to standard output; is the disk full?");
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return complain("out of memory; use a smaller file, fewer nets or fewer threads");
  } catch (const std::filesystem::filesystem_error& error) {
    return complain(fmt::format("{}: {}; check the path", error.path1().string(), error.code().message()));
  } catch (const std::exception& error) {
    return complain(error.what());
  }
}
