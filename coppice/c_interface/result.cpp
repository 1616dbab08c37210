#include "coppice/api/result.h"

#include "coppice/api/choose.h"
#include "coppice/api/settings.h"
#include "coppice/c_interface/callbacks.h"
#include "coppice/c_interface/handles.h"
#include "coppice/core/fail.h"
#include "coppice/run/summary.h"

#include <cmath>

using namespace coppice;
using namespace coppice::c;

std::size_t coppice_result_nets(const coppice_result* result) {
  return result == nullptr ? 0 : result->value.nets.size();
}

coppice_status coppice_result_net(const coppice_result* result, std::size_t index, coppice_net* net) {
  return guarded([&] {
    const NetResult& from = required_of(required(result, "the result").value.nets, index, "net");
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
                           .dominated = from.dominated ? 1 : 0,
                           .fold = from.fold,
                           .members = from.members.data(),
                           .member_count = from.members.size(),
                           .log_loss = from.log_loss.value_or(std::nan(""))},
                          net, "the net");
  });
}

std::size_t coppice_result_best(const coppice_result* result) {
  return result == nullptr ? COPPICE_NO_NET : result->value.best;
}
std::size_t coppice_result_chosen(const coppice_result* result) {
  return result == nullptr ? COPPICE_NO_NET : result->value.chosen.value_or(COPPICE_NO_NET);
}

coppice_status coppice_result_pick(const coppice_result* result, const char* rule, std::size_t max_parameters,
                                   std::size_t max_bytes, std::size_t* net) {
  return guarded([&] {
    std::size_t& to = required(net, "the net") = COPPICE_NO_NET;
    Summary summary = required(result, "the result").value;
    Options wanted;
    set_option(wanted, "pick", {required_text(rule, "the rule")});
    summary.pick = wanted.pick.value();
    summary.max_parameters = max_parameters == 0 ? std::nullopt : std::optional<std::size_t>(max_parameters);
    summary.bytes_for = BytesFor::model;
    summary.max_bytes = max_bytes == 0 ? std::nullopt : std::optional<std::size_t>(max_bytes);
    choose(summary);
    if (!summary.chosen)
      fail_option(summary.max_parameters ? "max-parameters" : "max-bytes", "{}", nothing_fits(summary));
    to = *summary.chosen;
  });
}

int coppice_result_stopped(const coppice_result* result) {
  return result != nullptr && result->value.stopped ? 1 : 0;
}

coppice_status coppice_result_json(const coppice_result* result, coppice_text** json) {
  return guarded([&] {
    coppice_text*& to = place_for(json, "the text");
    const Result& value = required(result, "the result").value;
    nlohmann::ordered_json summary = summary_json(value);
    summary["notes"] = value.notes;
    summary["warnings"] = value.warnings;
    summary["options"] = settings_json(settings(), value.options);
    summary["stopped"] = value.stopped;
    to = new coppice_text{json_text(summary)};
  });
}

std::size_t coppice_result_epochs(const coppice_result* result) {
  return result == nullptr ? 0 : result->value.history.size();
}
coppice_status coppice_result_epoch(const coppice_result* result, std::size_t index, coppice_epoch* epoch) {
  return guarded([&] {
    const EpochReport& report = required_of(required(result, "the result").value.history, index, "epoch");
    hand_out(epoch_of(report), epoch, "the epoch");
  });
}

coppice_status coppice_result_model(const coppice_result* result, std::size_t index, coppice_model** model) {
  return guarded([&] {
    coppice_model*& to = place_for(model, "the model");
    const Result& value = required(result, "the result").value;
    to = new coppice_model{index == COPPICE_NO_NET ? value.model() : required_of(value.models, index, "net")};
  });
}

void coppice_result_free(coppice_result* result) {
  delete result;
}
