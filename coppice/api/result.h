#pragma once

#include "coppice/api/options.h"
#include "coppice/core/export.h"
#include "coppice/training/epoch_report.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coppice {

/// What one net came to.
struct NetResult {
  std::size_t id = 0;
  double lambda = 0;
  std::uint64_t seed = 0;
  std::vector<std::size_t> hidden_units;
  std::size_t parameters = 0;
  double train_loss = 0;
  double validation_error =
      0;                      ///< share of wrong rows; of numbers: squared error over their variance, 1 - R2
  double standard_error = 0;  ///< of the validation error
  std::optional<double> log_loss;   ///< of classes, on the validation rows
  double log_loss_deviation = 0;    ///< standard error of it
  std::optional<double> criterion;  ///< what decides, on the validation rows; less is better (see Metric)
  double criterion_deviation = 0;   ///< standard error of it
  std::optional<double> test_error;
  std::size_t epochs = 0;
  std::string phase;                     ///< "done"; "failed": loss not finite; else where a limit stopped it
  std::optional<std::size_t> warm_from;  ///< index of the net it began as
  bool refit = false;  ///< it, or each net of an ensemble, went on with all rows; errors are those of before
  bool taught =
      false;  ///< it learned to answer as an ensemble does; errors are what that one's are, on rows that
              ///< it did not learn from, and what the net answers worse
  bool dominated = false;   ///< another net is at most as large and at least as good, or it was
                            ///< validated on another fold
  std::size_t bytes = 0;    ///< of its model
  std::size_t flash = 0;    ///< constants of the C header that a budget is for; 0: it is for none
  bool one_answer = false;  ///< it gives every validation row the same class, or number
  bool bins = false;        ///< columns of numbers have bins beside them
  std::size_t fold = 0;     ///< of an ensemble: that it validated on
  std::vector<std::size_t> members = {};  ///< of an ensemble: indices of its nets
  std::vector<std::size_t> judges =
      {};  ///< of an ensemble, or a net that one taught: on each fold the net that says how well it does (see judges_of)
  NetKind kind = NetKind::grown;
  std::size_t beginning = 0;  ///< of nets that differ in nothing but how they began: its number, from 0
  std::size_t inputs = 0;     ///< of the network; fewer than others have where it does not see all columns
};

/// What an answer that knows no inputs, the most frequent class, comes to on the validation rows.
struct BaseRate {
  std::string answer;
  double error = 0;
  double log_loss = 0;
};

/// Whether its probabilities say more than how frequent classes are: its log-loss is lower by a hundredth at least, which a
/// few validation rows do not give by themselves.
COPPICE_API bool tells_rows_apart(const NetResult& net, const BaseRate& base);

/// What the net that was chosen came to in one of several trainings, each with rows of its own.
struct Repetition {
  std::uint64_t seed = 0;
  std::size_t parameters = 0;
  double validation_error = 0;
  std::optional<double> test_error;
};

/// What a training came to, without the nets themselves: the trade-off between size and error.
struct COPPICE_API Summary {
  std::vector<NetResult> nets;
  std::size_t best =
      0;  ///< index of the lowest criterion; ties: the lower log-loss (not in effort paper), fewer
          ///< parameters, then the earlier net
  std::optional<std::size_t> chosen;  ///< index of the net that is the model; none if nothing fits the budget
  Pick pick = Pick::best;
  Metric metric = Metric::error;  ///< that decided
  bool break_ties = false;        ///< of a metric that knows few values, by the log-loss
  std::optional<std::size_t> max_parameters;
  std::optional<std::size_t> max_bytes;
  BytesFor bytes_for = BytesFor::model;  ///< what `max_bytes` counts
  Task task = Task::classification;
  std::optional<BaseRate> base;         ///< of classes
  std::vector<Repetition> repetitions;  ///< with `repeat`: this training is the first
  double seconds = 0;                   ///< of training
  std::size_t threads = 0;
  Device device = Device::cpu;

  /// Indices of the nets that no other one beats in both, by size.
  std::vector<std::size_t> front() const;
};

/// What train() gives: every net of the front as a model, and how it came to be.
struct COPPICE_API Result : Summary {
  std::vector<Model> models;         ///< one per net
  std::vector<EpochReport> history;  ///< every epoch of every net, as they ended; without units' lengths
  Options options;                   ///< complete: what was given, and what was decided
  std::vector<std::string> notes;    ///< what was found out about the data
  std::vector<std::string> warnings;
  std::string device_text;  ///< "on NVIDIA H200", "on the CPU (this build has no CUDA)"
  bool stopped = false;     ///< `stop` ended it: nets are as far as they came

  /// The net that the options pick; fails if none fits the budget.
  const Model& model() const;
};

/// What is known when training begins.
struct TrainingInfo {
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
  std::size_t inputs = 0;
  std::size_t train_rows = 0;
  std::size_t validation_rows = 0;
  std::size_t test_rows = 0;
  std::vector<double> lambdas;  ///< that it begins with
  bool lambdas_found = false;   ///< from the data
  std::size_t nets = 0;         ///< to be trained; a path or a budget may add some
  std::string step_name;        ///< "angle", "angular_step" or "step"
  double step = 0;
  std::size_t threads = 0;
  std::string device_text;
  Precision precision = Precision::fp32;
  Options options;  ///< complete
};

/// Watches a training. All calls come from the thread that called train(); what they throw ends the training and comes
/// out of it.
class COPPICE_API Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_begin(const TrainingInfo& /*info*/) {}
  virtual void on_epoch(const EpochReport& /*epoch*/) {}
  /// A sentence worth knowing, such as that the processor takes over from the GPU.
  virtual void on_note(const std::string& /*note*/) {}
};

}  // namespace coppice
