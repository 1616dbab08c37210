#include "cli/coppice.h"

#include "coppice/device/product.h"
#include "coppice/version.h"

#include "cli/commands.h"
#include "cli/describe/describe.h"
#include "cli/on_ranks.h"
#include "cli/program.h"

#include <map>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace coppice::cli {

namespace {

constexpr const char* program_name = "coppice";

int run_command(int argc, char** argv, Ranks* ranks) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (first == "reproduce")
    return complain(
        program_name,
        "reproduce: the paper's experiments are a program of their own; type ./run reproduce NAME "
        "in the folder of coppice's sources");
  CLI::App app{"coppice trains neural networks that find their own size", program_name};
  app.set_version_flag("--version", fmt::format("coppice {}, products by {}", version(), product_library()));
  app.require_subcommand(1);
  std::map<std::string, Action> actions{
      {"train", add_train(app, ranks)}, {"search", add_search(app, ranks)}, {"predict", add_predict(app)},
      {"evaluate", add_evaluate(app)},  {"explain", add_explain(app)},      {"inspect", add_inspect(app)},
      {"export", add_export(app)},      {"watch", add_watch(app)},          {"report", add_report(app)},
      {"generate", add_generate(app)},  {"merge", add_merge(app)}};
  if (first == "describe") {  // for the build, which installs what this prints
    fmt::print("{}", describe(app, argc > 2 ? argv[2] : "", version()));
    return 0;
  }
  if (const auto code = parse(app, program_name, argc, argv)) return *code;
  return actions.at(app.get_subcommands().front()->get_name())();
}

}  // namespace

int run_coppice(int argc, char** argv) {
  return guarded(program_name, [&] {
    return on_ranks(program_name, {argv + 1, argv + argc},
                    [&](Ranks* ranks) { return run_command(argc, argv, ranks); });
  });
}

}  // namespace coppice::cli
