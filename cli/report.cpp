#include "coppice/report/report.h"

#include "cli/commands.h"
#include "cli/streams.h"

#include <memory>
#include <string>

#include <fmt/format.h>

namespace coppice::cli {

Action add_report(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("report", "write a run's report.html: one page, to be opened anywhere");
  auto directory = std::make_shared<std::string>();
  command->add_option("RUN", *directory, "run directory")->required();
  return [directory] {
    show("report  {}\n", write_report(*directory));
    return 0;
  };
}

}  // namespace coppice::cli
