#include "coppice/core/error.h"
#include "coppice/run/run.h"

#include "cli/commands.h"

#include <cstdio>
#include <exception>
#include <map>
#include <new>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

constexpr int mistake = 2;

int complain(const char* message) {
  fmt::print(stderr, "coppice: {}\n", message);
  return mistake;
}

int run(int argc, char** argv) {
  using namespace coppice::cli;
  CLI::App app{"coppice trains neural networks that find their own size"};
  app.set_version_flag("--version", "coppice " + coppice::version());
  app.require_subcommand(1);
  std::map<std::string, Action> actions{{"train", add_train(app)},
                                        {"predict", add_predict(app)},
                                        {"evaluate", add_evaluate(app)},
                                        {"inspect", add_inspect(app)},
                                        {"generate", add_generate(app)}};
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return complain(fmt::format("{}; see coppice --help or coppice COMMAND --help", error.what()).c_str());
  }
  return actions.at(app.get_subcommands().front()->get_name())();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return complain("out of memory; use a smaller file, fewer nets or fewer threads");
  } catch (const std::exception& error) {
    return complain(error.what());
  }
}
