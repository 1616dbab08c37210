#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/model/model.h"
#include "coppice/run/model_file.h"
#include "coppice/run/read.h"

#include "cli/answer_options.h"
#include "cli/commands.h"
#include "cli/csv_cell.h"
#include "cli/own_files.h"
#include "cli/probability_text.h"
#include "cli/reading_line.h"
#include "cli/results.h"
#include "cli/streams.h"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

/// Of a file that is predicted: so many rows at a time for each thread, which are then in its cache.
constexpr std::size_t rows_of_part = 1000;

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
      for (const double p : prediction.probabilities_of(row)) append_probability(out += ',', p);
    }
    if (!prediction.lower.empty())
      fmt::format_to(end, ",{:.7g},{:.7g}", prediction.lower[row], prediction.upper[row]);
    if (!prediction.sets.empty())
      fmt::format_to(end, ",{},{}", csv_cell(set_text(prediction, row)), prediction.set_of(row).size());
    out += '\n';
  }
  return out;
}

/// Answers the parts of a file.
class Answers {
 public:
  Answers(const Model& model, PredictOptions options) : model_(model), options_(std::move(options)) {}

  /// What is said is said of the first part, before all answers and once. All threads work on that one, later each has parts
  /// of its own; a GPU takes all rows of a part at once, one part at a time.
  std::string operator()(const Table& part) {
    if (begun_) {
      std::unique_lock lock(gpu_, std::defer_lock);
      if (has_gpu_) lock.lock();
      const Prediction prediction = model_.predict(part, options_);
      if (has_gpu_) lock.unlock();
      return rows_text(prediction);
    }
    begun_ = true;
    const Prediction first = model_.predict(part, options_);
    for (const std::string& note : first.notes) say_line(note);
    print_warnings(first.warnings);
    has_gpu_ = !first.notes.empty();
    options_.threads = 1;
    return head_text(first) + rows_text(first);
  }

 private:
  const Model& model_;
  PredictOptions options_;
  bool begun_ = false;
  bool has_gpu_ = false;
  std::mutex gpu_;
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
  add_setting(*command, "portable-math", arguments->options, "answers of the same bits on every processor");
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
    Answers answers(model, predict_options(arguments->options, arguments->answers));
    const auto answer = [&](const PutPiece& put) {
      answer_table_parts(arguments->data, reading, rows_of_part, std::ref(answers), put);
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
