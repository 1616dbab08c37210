#include "cli/answer_options.h"

#include "coppice/api/device.h"
#include "coppice/core/fail.h"
#include "coppice/core/text.h"

namespace coppice::cli {

void add_answer_options(CLI::App& command, AnswerOptions& answers) {
  command
      .add_option("--threshold", answers.threshold,
                  "of two classes: answer the second where its probability is at least so much")
      ->type_name("P");
  command.add_option("--positive", answers.positive, "the class that --threshold is for, if not the second")
      ->type_name("CLASS");
  command
      .add_option("--interval", answers.interval,
                  "where the target lies, right for this share of rows: bounds of a number, a set of classes")
      ->type_name("LEVEL");
}

PredictOptions predict_options(const Options& options, const AnswerOptions& answers) {
  if (!options.gpus.empty())
    fail_option("device",
                "`device` cuda{}: answers come from the first GPU that is visible; use `device` cuda",
                gpus_text(options.gpus));
  return {.threads = options.threads.value_or(0),
          .device = options.device,
          .threshold = answers.threshold,
          .positive = to_utf8(answers.positive),
          .interval = answers.interval,
          .portable_math = options.portable_math.value_or(false)};
}

}  // namespace coppice::cli
