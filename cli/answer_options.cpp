#include "cli/answer_options.h"

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
  return {.threads = options.threads.value_or(0),
          .device = options.device,
          .threshold = answers.threshold,
          .positive = to_utf8(answers.positive),
          .interval = answers.interval};
}

}  // namespace coppice::cli
