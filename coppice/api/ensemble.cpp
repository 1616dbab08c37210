#include "coppice/api/ensemble.h"

#include "coppice/analysis/held_out.h"
#include "coppice/analysis/temperature.h"
#include "coppice/model/parts.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace coppice {

namespace {

/// The nets, and of the encoding what they need.
ModelParts parts_of(std::span<const Member> members, const PreparedData& data) {
  const bool all_plain = std::ranges::all_of(members, &Member::plain);
  ModelParts parts;
  parts.encoding = data.tables(all_plain).encoding;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const ModelParts& own = members[i].model->parts();
    if (i > 0) parts.others.emplace_back();
    parts.net(i) = {
        .network = own.network, .statistics = own.statistics, .plain = members[i].plain && !all_plain};
  }
  return parts;
}

/// How the nets came to be, together.
ModelOrigin origin_of(std::span<const Member> members, const PreparedData& data) {
  ModelOrigin origin = members.front().model->origin();
  origin.epochs = 0;
  origin.train_loss = 0;
  origin.train_rows = data.rows.size();
  origin.validation_rows = data.rows.size();
  for (const Member& member : members) {
    const ModelOrigin& own = member.model->origin();
    origin.epochs += own.epochs;
    origin.train_loss += own.train_loss / static_cast<double>(members.size());
    if (own.phase != "done") origin.phase = own.phase;
  }
  return origin;
}

/// Of each net about the rows that it did not learn from.
std::vector<Answers> answers_of(ThreadPool& pool, std::span<const Member> nets) {
  std::vector<Answers> answers;
  for (const Member& net : nets)
    answers.push_back(ask(pool, net.model->folded(), *net.data.validation, net.data.validation_rows));
  return answers;
}

}  // namespace

Model judging_model(std::span<const Member> judges, const PreparedData& data, const Model& ensemble) {
  ModelParts parts = parts_of(judges, data);
  parts.temperature = ensemble.parts().temperature;
  parts.conformity = ensemble.parts().conformity;
  parts.origin = ensemble.origin();
  return Model(std::move(parts));
}

MeasuredNet measure_ensemble(ThreadPool& pool, std::span<const Member> members,
                             std::span<const Member> judges, const PreparedData& data, Metric metric) {
  const Answers answers = together(answers_of(pool, judges));
  ModelParts parts = parts_of(members, data);
  if (data.classes() > 0)
    parts.temperature = fit_temperature(answers.scores, answers.known.labels, answers.known.weights);
  parts.conformity = conformity_of(answers, parts);
  const Metrics metrics = answers.metrics(parts, metric);
  parts.origin = origin_of(members, data);
  parts.origin.validation_error = metrics.error;
  if (data.has_test()) {
    const Model model(parts);
    const Dataset& test = data.tables(!parts.encoding.has_bins()).test_set();
    parts.origin.test_error = ask(pool, model.folded(), test, data.all_test_rows()).metrics(parts).error;
  }
  return measured(Model(std::move(parts)), answers, metrics, metric);
}

}  // namespace coppice
