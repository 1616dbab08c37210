#include "coppice/analysis/analysis.h"
#include "coppice/api/choose.h"
#include "coppice/api/ensemble.h"
#include "coppice/api/fixed_nets.h"
#include "coppice/api/measure.h"
#include "coppice/api/refit.h"
#include "coppice/api/resolve.h"
#include "coppice/api/training.h"
#include "coppice/core/memory.h"
#include "coppice/model/parts.h"
#include "coppice/training/base_rate.h"

#include <algorithm>

// What a training came to.
namespace coppice {

namespace {

BaseRate base_of(const PreparedData& data, std::uint64_t seed) {
  const NetData net = data.net_data(seed);
  const std::vector<float> logs = base_rate(net);
  const auto usual = static_cast<std::size_t>(std::ranges::max_element(logs) - logs.begin());
  return {.answer = data.encoding.target.classes[usual],
          .error = base_criterion(net, Metric::error),
          .log_loss = base_criterion(net, Metric::log_loss)};
}

NetResult result_of(const NetRun& run, const NetState& state, const PlannedNet& planned,
                    const Variant& variant) {
  NetResult result;
  result.id = run.id;
  result.lambda = run.lambda;
  result.seed = run.seed;
  result.hidden_units = state.network.hidden_units();
  result.parameters = state.network.parameters();
  result.train_loss = state.train_loss;
  result.epochs = run.epoch;
  result.phase = phase_name(run.protocol.phase());
  result.warm_from = planned.warm_from;
  result.refit = planned.refit;
  result.taught = planned.taught;
  result.bins = variant.bins;
  result.fold = planned.fold;
  result.beginning = planned.beginning;
  result.inputs = state.network.inputs();
  return result;
}

/// A model, and what it came to on rows that it did not learn from, for the last of the nets.
void add_measured(Result& result, const MeasuredNet& measured, BytesFor bytes_for) {
  NetResult& net = result.nets.back();
  net.validation_error = measured.validation_error;
  net.standard_error = measured.standard_error;
  net.log_loss = measured.log_loss;
  net.log_loss_deviation = measured.log_loss_deviation;
  net.criterion = measured.criterion;
  net.criterion_deviation = measured.criterion_deviation;
  net.one_answer = measured.one_answer;
  net.test_error = measured.test_error;
  result.models.push_back(measured.model);
  net.bytes = measured.model.bytes().size();
  net.flash = bytes_for == BytesFor::model ? 0 : bytes_of(measured.model, bytes_for);
}

}  // namespace

/// Every net as a model, with what it came to.
void Training::measure_nets(Result& result, const std::function<void()>& check) {
  const bool refits = refit_ended();
  for (const NetRun& run : runs_) {
    check();
    const NetState& state = kept_state(run);
    const PlannedNet& planned = planned_[run.id];
    if (planned.refit && !refits) break;
    const Variant& variant = variants_[planned.variant];
    result.nets.push_back(result_of(run, state, planned, variant));
    if (is_fixed(planned)) result.nets.back().kind = NetKind::fixed;
    const Trainer trainer(pool_, options_for(planned));
    MeasuredNet net = planned.refit
                          ? refitted(pool_, trainer, run, data_for(planned), share_for(planned),
                                     result.nets[*planned.warm_from], result.models[*planned.warm_from])
                          : measure(pool_, trainer, run, state, data_for(planned), share_for(planned));
    if (planned.taught) {
      net = graduated(pool_, std::move(net), *teacher_, data_);
      result.nets.back().judges = teacher_->judges;
    }
    add_measured(result, net, *options_.bytes_for);
  }
  check();
}

Result Training::finish(const std::function<void()>& check) {
  const WithArithmetic as_asked(arithmetic_of(options_));
  return_free_memory();  // of the training, before the models need some
  Result result;
  measure_nets(result, check);
  if (!teaches()) {
    if (const std::optional<Ensemble> ensemble = ensemble_in(result)) {
      result.nets.push_back(ensemble->net);
      add_measured(result, ensemble->measured, *options_.bytes_for);
    }
  }
  result.pick = *options_.pick;
  result.metric = *options_.metric;
  result.break_ties = training_options(options_).break_ties;
  result.max_parameters = options_.max_parameters;
  result.max_bytes = options_.max_bytes;
  result.bytes_for = *options_.bytes_for;
  result.task = data_.encoding.task;
  if (data_.classes() > 0) result.base = base_of(data_, *options_.seed);
  result.threads = pool_.threads();
  result.device = device_.device;
  result.device_text = device_.text;
  result.options = options_;
  result.notes = data_.notes;
  result.warnings = warnings();
  choose(result);
  return result;
}

std::vector<Member> Training::members_of(const Result& result, std::span<const std::size_t> nets) {
  std::vector<Member> members;
  for (const std::size_t i : nets)
    members.push_back(
        {.model = &result.models[i], .data = net_data(planned_[i]), .plain = !result.nets[i].bins});
  return members;
}

/// The best nets of the folds as one more model.
std::optional<Training::Ensemble> Training::ensemble_in(const Result& result) {
  std::vector<std::size_t> members = ensemble_of(data_.folds, trained_nets());
  if (members.size() < 2) return std::nullopt;
  const std::vector<std::size_t> validated = members;
  for (const NetResult& net : result.nets) {
    if (net.refit) std::ranges::replace(members, *net.warm_from, net.id);
  }
  const std::vector<std::size_t> judges = judges_of(data_.folds, trained_nets());
  NetResult net;
  net.id = result.models.size();
  net.members = members;
  net.judges = judges.empty() ? validated : judges;
  net.lambda = result.nets[members.front()].lambda;
  net.seed = *options_.seed;
  net.phase = phase_name(Phase::done);
  for (const std::size_t i : members) {
    const NetResult& member = result.nets[i];
    net.parameters += member.parameters;
    net.epochs += member.epochs;
    net.train_loss += member.train_loss / static_cast<double>(members.size());
    net.bins = net.bins || member.bins;
    net.refit = net.refit || member.refit;
    if (member.phase != phase_name(Phase::done)) net.phase = member.phase;
  }
  MeasuredNet measured = measure_ensemble(pool_, members_of(result, members), members_of(result, net.judges),
                                          data_, *options_.metric);
  return Ensemble{.net = std::move(net), .measured = std::move(measured)};
}

std::string Training::analysis_text(const Result& result, std::size_t index, const std::string& file) {
  const WithArithmetic as_asked(arithmetic_of(options_));
  const NetResult& net = result.nets[index];
  const bool single = net.members.empty() && !net.taught;
  const PreparedData& prepared = single ? data_for(planned_[index]) : data_;
  const EncodedTables& tables = prepared.tables(!net.bins);
  const bool test = data_.has_test();
  AnalysedData held{.held = &tables.test_set(),
                    .rows = data_.all_test_rows(),
                    .net_of = {},
                    .test = test,
                    .summary = &prepared.summary,
                    .file = file};
  if (test) return analysis_json(pool_, result.models[index], index, held).dump();
  // What learned from the rows in the end says nothing about them: who did not stands in.
  if (single) {
    const NetData data = net_data(planned_[index]);
    held.held = data.validation;
    held.rows = data.validation_rows;
    return analysis_json(pool_, result.models[net.refit ? *net.warm_from : index], index, held).dump();
  }
  const Model judges =
      judging_model(members_of(result, net.judges), data_, net.taught ? teacher() : result.models[index]);
  held.held =
      &data_.tables(!judges.parts().encoding.has_bins()).train;  // what they take, not what the members do
  held.rows = data_.rows;
  held.net_of.resize(held.held->rows());
  for (std::size_t i = 0; i < data_.rows.size(); ++i) held.net_of[data_.rows[i]] = data_.fold_of[i];
  return analysis_json(pool_, judges, index, held).dump();
}

}  // namespace coppice
