#include "cli/finish_run.h"

#include "coppice/api/choose.h"
#include "coppice/core/fail.h"
#include "coppice/report/report.h"
#include "coppice/run/layout.h"
#include "coppice/run/summary.h"

#include "cli/flags.h"
#include "cli/results.h"
#include "cli/signals.h"
#include "cli/streams.h"
#include "cli/terminal/styled.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <unistd.h>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

/// The sentence for a run without any net that could be trained to its end.
std::string every_net_failed(const TrainingInfo& info) {
  std::string step = info.step_name;
  std::ranges::replace(step, '_', '-');
  return fmt::format(
      "every net failed: its loss was not finite; try a smaller `{}` than {:.3g}{}, and look for extreme "
      "numbers in the data (what was written is each net's best state before that)",
      step, info.step, info.options.fixed_size.empty() ? " or a larger `lambda`" : "");
}

void print_results(const Result& result, const std::string& run, const std::string& report) {
  show("\n{}{}{}{}\n", results_table(result), base_rate_line(result), points_table(result),
       repetitions_line(result));
  if (const std::string sentence = one_answer_sentence(result); !sentence.empty()) {
    const bool terminal = ::isatty(STDOUT_FILENO) == 1;
    fmt::print("{}\n\n", rendered({{sentence, Style::red}}, sentence.size(), terminal));
  }
  show("trained in {} on {}\n", duration_text(result.seconds), with_plural(result.threads, "thread"));
  if (result.chosen) show("model        {}\n", layout::in(run, layout::model));
  show("all nets     {}\nevery epoch  {}\nreport       {}\n", layout::in(run, layout::summary),
       layout::in(run, layout::journal), report);
}

/// Says what is noted.
class Notes final : public Observer {
 public:
  void on_note(const std::string& note) override { say_line(with_dashes(note)); }
};

/// Nothing if somebody asked to stop meanwhile.
std::optional<Result> finish(Run& run, bool quiet) {
  Notes notes;
  try {
    return run.finish(quiet ? nullptr : &notes);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::interrupted) throw;
    return std::nullopt;
  }
}

}  // namespace

std::string with_plural(std::size_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

int say_interrupted(const Run& run) {
  say("interrupted; continue with: coppice train --resume {}", run.directory());
  return 128 + caught_signal();
}

int finish_run(Run& run, const TrainingInfo& info, Showing showing) {
  const std::optional<Result> finished = finish(run, showing.quiet);
  if (!finished) return say_interrupted(run);
  const Result& result = *finished;
  const std::string report = write_report(run.directory());
  if (showing.json) {
    show_json(summary_json(result).dump(2));
  } else if (!showing.quiet) {
    print_results(result, run.directory(), report);
  }
  std::fflush(stdout);
  if (std::ranges::all_of(result.nets, [](const NetResult& net) { return net.phase == "failed"; }))
    fail("{}", every_net_failed(info));
  if (!result.chosen) fail("{}", nothing_fits(result));
  return 0;
}

}  // namespace coppice::cli
