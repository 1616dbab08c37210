#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/device/threads.h"
#include "coppice/model/model.h"
#include "coppice/run/model_file.h"
#include "coppice/run/read.h"

#include "cli/answer_options.h"
#include "cli/commands.h"
#include "cli/csv_cell.h"
#include "cli/own_files.h"
#include "cli/reading_line.h"
#include "cli/results.h"
#include "cli/streams.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

/// Of a file that is predicted: so many rows at a time for each thread.
constexpr std::size_t rows_of_part = 8192;

/// The names of the classes in a row's set, the most likely first, with | between them; a | or \ in a name has a \ before it.
std::string set_text(const Prediction& prediction, std::size_t row) {
  std::string text;
  for (const std::uint32_t k : prediction.set_of(row)) {
    if (!text.empty()) text += '|';
    for (const char c : prediction.class_names[k]) {
      if (c == '|' || c == '\\') text += '\\';
      text += c;
    }
  }
  return text;
}

std::string head_text(const Prediction& prediction) {
  std::string out;
  for (const std::string& name : prediction.id_names) out += csv_cell(name) + ",";
  out += "prediction";
  for (const std::string& name : prediction.class_names) out += "," + csv_cell("probability_" + name);
  if (!prediction.lower.empty()) out += ",lower,upper";
  if (!prediction.sets.empty()) out += ",set,set_size";
  out += '\n';
  return out;
}

std::string rows_text(const Prediction& prediction) {
  std::vector<std::string> classes;
  for (const std::string& name : prediction.class_names) classes.push_back(csv_cell(name));
  std::string out;
  const auto end = std::back_inserter(out);
  for (std::size_t row = 0; row < prediction.rows; ++row) {
    for (const auto& column : prediction.ids) out += csv_cell(column[row]) + ",";
    if (classes.empty()) {
      fmt::format_to(end, "{:.7g}", prediction.values[row]);
    } else {
      out += classes[prediction.classes[row]];
      for (const double p : prediction.probabilities_of(row)) fmt::format_to(end, ",{:.6f}", p);
    }
    if (!prediction.lower.empty())
      fmt::format_to(end, ",{:.7g},{:.7g}", prediction.lower[row], prediction.upper[row]);
    if (!prediction.sets.empty())
      fmt::format_to(end, ",{},{}", csv_cell(set_text(prediction, row)), prediction.set_of(row).size());
    out += '\n';
  }
  return out;
}

/// Puts the answers to parts of a file, in their order.
class Answers {
 public:
  Answers(const Model& model, PredictOptions options, const PutPiece& put)
      : model_(model), options_(std::move(options)), put_(put) {}

  /// The first part is asked about alone, so that what is said is said before all answers, and once.
  void add(Table part) {
    if (threads_ == 0) {
      begin(part);
      return;
    }
    if (!pool_) pool_.emplace(threads_);
    waiting_.push_back(std::move(part));
    if (waiting_.size() >= pool_->threads()) answer();
  }

  void finish() { answer(); }

 private:
  void begin(const Table& part) {
    const Prediction first = model_.predict(part, options_);
    for (const std::string& note : first.notes) say_line(note);
    print_warnings(first.warnings);
    put_(head_text(first) + rows_text(first));
    const bool gpu = !first.notes.empty();  // which takes all rows of a part at once
    const std::size_t all =
        options_.threads > 0 ? options_.threads : std::max(1U, std::thread::hardware_concurrency());
    threads_ = gpu ? 1 : all;
    if (!gpu) options_.threads = 1;  // from now on each thread has parts of its own
  }

  void answer() {
    if (waiting_.empty()) return;
    std::vector<std::string> texts(waiting_.size());
    pool_->parallel_for(waiting_.size(),
                        [&](std::size_t i) { texts[i] = rows_text(model_.predict(waiting_[i], options_)); });
    waiting_.clear();
    for (const std::string& text : texts) put_(text);
  }

  const Model& model_;
  PredictOptions options_;
  const PutPiece& put_;
  std::size_t threads_ = 0;  ///< of the parts after the first
  std::optional<ThreadPool> pool_;
  std::vector<Table> waiting_;
};

}  // namespace

Action add_predict(CLI::App& app) {
  struct Arguments {
    std::string model;
    std::string data;
    std::string out;
    AnswerOptions answers;
    Options options;
  };
  CLI::App* command =
      app.add_subcommand("predict", "class and probabilities, or value, for every row of a file");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("MODEL", arguments->model, "model file, or the directory of a run or a search")
      ->required();
  command
      ->add_option("DATA", arguments->data,
                   "rows with the columns the model was trained on; -: standard input")
      ->required();
  command->add_option("-o,--out", arguments->out, "csv file to write (default: standard output)");
  add_answer_options(*command, arguments->answers);
  add_device_options(*command, arguments->options);
  return [arguments] {
    arguments->model = model_file(arguments->model);
    const bool piped = arguments->data == "-";
    if (piped) arguments->data = "/dev/stdin";
    for (const std::string& input : {arguments->model, arguments->data}) {
      std::error_code absent;
      if (!arguments->out.empty() && std::filesystem::equivalent(arguments->out, input, absent)) {
        fail("-o {}: the predictions would overwrite what they are made from; choose another file",
             arguments->out);
      }
    }
    if (!arguments->out.empty()) check_not_own_file(arguments->out);
    const Model model = Model::load(arguments->model);
    ReadOptions reading = read_options_for(model);
    reading.pipe = piped;
    if (!arguments->out.empty())
      reading.progress = [line = reading_line(), &path = arguments->data](double share) {
        line(path, share);
      };
    reading.threads = arguments->options.threads.value_or(0);
    const auto answer = [&](const PutPiece& put) {
      Answers answers(model, predict_options(arguments->options, arguments->answers), put);
      read_table_parts(arguments->data, reading, rows_of_part,
                       [&](Table part) { answers.add(std::move(part)); });
      answers.finish();
    };
    if (arguments->out.empty()) {
      answer([](std::string_view text) {
        show_bytes(text);
        std::fflush(stdout);
      });
    } else {
      write_file(arguments->out, answer);
    }
    return 0;
  };
}

}  // namespace coppice::cli
