#include "coppice/api/train.h"

#include "coppice/api/settings.h"
#include "coppice/c_interface/handles.h"
#include "coppice/core/fail.h"
#include "coppice/run/run.h"
#include "coppice/run/search_summary.h"
#include "coppice/run/summary.h"
#include "coppice/search/search.h"
#include "coppice/search/settings.h"

#include <cmath>
#include <functional>

using namespace coppice;
using namespace coppice::c;

namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void cancel() {
  fail_as(ErrorKind::interrupted, "a callback asked to stop");
}

coppice_epoch epoch_of(const EpochReport& report) {
  return {.size = sizeof(coppice_epoch),
          .net = report.net,
          .epoch = report.epoch,
          .steps = report.steps,
          .phase = phase_name(report.phase).data(),
          .train_loss = report.train_loss,
          .validation_error = report.validation_error,
          .lambda = report.lambda,
          .hidden_units = report.hidden_units.data(),
          .hidden_layers = report.hidden_units.size(),
          .running = report.running ? 1 : 0,
          .waited = report.waited,
          .patience = report.patience,
          .epochs_to_go = report.to_go};
}

Json info_json(const TrainingInfo& info) {
  return {{"notes", info.notes},
          {"warnings", info.warnings},
          {"inputs", info.inputs},
          {"train_rows", info.train_rows},
          {"validation_rows", info.validation_rows},
          {"test_rows", info.test_rows},
          {"lambdas", info.lambdas},
          {"nets", info.nets},
          {"threads", info.threads},
          {"device", info.device_text},
          {"precision", name_of(info.precision)},
          {"options", settings_json(settings(), info.options)}};
}

/// Hands what happens to the caller's functions.
class Callbacks final : public Observer, public SearchObserver {
 public:
  explicit Callbacks(const coppice_callbacks* callbacks) : call_(taken(callbacks)) {}

  using SearchObserver::on_begin;
  void on_begin(const TrainingInfo& info) override {
    if (call_.on_begin != nullptr && call_.on_begin(call_.user, info_json(info).dump().c_str()) != 0)
      cancel();
  }
  void on_epoch(const EpochReport& report) override {
    const coppice_epoch epoch = epoch_of(report);
    if (call_.on_epoch != nullptr && call_.on_epoch(call_.user, &epoch) != 0) cancel();
  }
  void on_note(const std::string& note) override {
    if (call_.on_note != nullptr && call_.on_note(call_.user, note.c_str()) != 0) cancel();
  }
  std::function<bool()> stop() const {
    return [call = call_] { return call.stop != nullptr && call.stop(call.user) != 0; };
  }

 private:
  coppice_callbacks call_;
};

/// Trains a run to its end, or throws that it was interrupted.
Result finished(Run run, Callbacks& callbacks) {
  if (!run.train(&callbacks))
    fail_as(ErrorKind::interrupted, "stopped; the run in {} can be resumed", run.directory());
  return run.finish();
}

SearchSpace space_of(const char* kind, const char* const* space, std::size_t count) {
  const std::string name = required_text(kind, "the kind");
  const auto found = from_name<SearchKind>(name);
  if (!found) fail("there is no search {}; there are grid and random", name);
  SearchSpace result;
  result.kind = *found;
  const std::vector<std::string> texts = texts_at(space, count, "a setting");
  for (std::size_t i = 0; i + 1 < texts.size(); i += 2) {
    const auto& all = search_settings(*found);
    const auto setting = std::ranges::find(all, texts[i], &Setting<SearchSpace>::name);
    if (setting == all.end()) fail_option(texts[i], "a search has no setting {}", texts[i]);
    setting->set(result,
                 setting->list ? split_commas({texts[i + 1]}) : std::vector<std::string>{texts[i + 1]});
  }
  return result;
}

}  // namespace

coppice_status coppice_train(const coppice_table* table, const coppice_options* options,
                             const coppice_callbacks* callbacks, coppice_result** result) {
  return guarded([&] {
    Callbacks watching(callbacks);
    required(result, "the result") =
        new coppice_result{train(required(table, "the table").value, required(options, "the options").value,
                                 &watching, watching.stop())};
  });
}

coppice_status coppice_run_train(const char* data, const coppice_options* options, const char* directory,
                                 const coppice_callbacks* callbacks, coppice_result** result) {
  return guarded([&] {
    Callbacks watching(callbacks);
    RunOptions run;
    run.data = required_text(data, "the data");
    run.options = required(options, "the options").value;
    required(result, "the result") = new coppice_result{
        finished(Run::create(run, required_text(directory, "the directory"), watching.stop()), watching)};
  });
}

coppice_status coppice_run_resume(const char* directory, const coppice_callbacks* callbacks,
                                  coppice_result** result) {
  return guarded([&] {
    Callbacks watching(callbacks);
    required(result, "the result") = new coppice_result{
        finished(Run::resume(
                     required_text(directory, "the directory"), [](RunOptions&) {}, watching.stop()),
                 watching)};
  });
}

std::size_t coppice_result_nets(const coppice_result* result) {
  return result->value.nets.size();
}

coppice_status coppice_result_net(const coppice_result* result, std::size_t index, coppice_net* net) {
  return guarded([&] {
    const NetResult& from = required(result, "the result").value.nets.at(index);
    hand_out<coppice_net>({.size = sizeof(coppice_net),
                           .lambda = from.lambda,
                           .seed = from.seed,
                           .hidden_units = from.hidden_units.data(),
                           .hidden_layers = from.hidden_units.size(),
                           .parameters = from.parameters,
                           .bytes = from.bytes,
                           .train_loss = from.train_loss,
                           .validation_error = from.validation_error,
                           .standard_error = from.standard_error,
                           .test_error = from.test_error.value_or(std::nan("")),
                           .epochs = from.epochs,
                           .phase = from.phase.c_str(),
                           .dominated = from.dominated ? 1 : 0},
                          net);
  });
}

std::size_t coppice_result_best(const coppice_result* result) {
  return result->value.best;
}
std::size_t coppice_result_chosen(const coppice_result* result) {
  return result->value.chosen.value_or(COPPICE_NO_NET);
}
int coppice_result_stopped(const coppice_result* result) {
  return result->value.stopped ? 1 : 0;
}

coppice_status coppice_result_json(const coppice_result* result, coppice_text** json) {
  return guarded([&] {
    const Result& value = required(result, "the result").value;
    Json summary = summary_json(value);
    summary["notes"] = value.notes;
    summary["warnings"] = value.warnings;
    summary["options"] = settings_json(settings(), value.options);
    summary["stopped"] = value.stopped;
    hand_out_text(summary.dump(), json);
  });
}

std::size_t coppice_result_epochs(const coppice_result* result) {
  return result->value.history.size();
}
coppice_status coppice_result_epoch(const coppice_result* result, std::size_t index, coppice_epoch* epoch) {
  return guarded([&] { hand_out(epoch_of(required(result, "the result").value.history.at(index)), epoch); });
}

coppice_status coppice_result_model(const coppice_result* result, std::size_t index, coppice_model** model) {
  return guarded([&] {
    const Result& value = required(result, "the result").value;
    required(model, "the model") =
        new coppice_model{index == COPPICE_NO_NET ? value.model() : value.models.at(index)};
  });
}

void coppice_result_free(coppice_result* result) {
  delete result;
}

coppice_status coppice_search(const coppice_table* table, const char* kind, const char* const* space,
                              std::size_t space_count, const coppice_options* options,
                              const coppice_callbacks* callbacks, coppice_text** summary_json,
                              coppice_model** model) {
  return guarded([&] {
    Callbacks watching(callbacks);
    const SearchResult result = search(required(table, "the table").value, space_of(kind, space, space_count),
                                       required(options, "the options").value, &watching, watching.stop());
    required(model, "the model") = result.model ? new coppice_model{*result.model} : nullptr;
    hand_out_text(search_summary_json(result).dump(), summary_json);
  });
}
