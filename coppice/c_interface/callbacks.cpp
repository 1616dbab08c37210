#include "coppice/c_interface/callbacks.h"

#include "coppice/api/settings.h"
#include "coppice/c_interface/handles.h"
#include "coppice/core/fail.h"

namespace coppice::c {

namespace {

[[noreturn]] void cancel() {
  fail_as(ErrorKind::interrupted, "a callback asked to stop");
}

nlohmann::ordered_json info_json(const TrainingInfo& info) {
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

}  // namespace

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

Callbacks::Callbacks(const coppice_callbacks* callbacks) : call_(taken(callbacks, "the callbacks")) {}

void Callbacks::on_begin(const TrainingInfo& info) {
  if (call_.on_begin != nullptr && call_.on_begin(call_.user, json_text(info_json(info)).c_str()) != 0)
    cancel();
}

void Callbacks::on_epoch(const EpochReport& report) {
  const coppice_epoch epoch = epoch_of(report);
  if (call_.on_epoch != nullptr && call_.on_epoch(call_.user, &epoch) != 0) cancel();
}

void Callbacks::on_note(const std::string& note) {
  if (call_.on_note != nullptr && call_.on_note(call_.user, note.c_str()) != 0) cancel();
}

std::function<bool()> Callbacks::stop() const {
  return [call = call_] { return call.stop != nullptr && call.stop(call.user) != 0; };
}

}  // namespace coppice::c
