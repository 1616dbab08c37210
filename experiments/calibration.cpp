#include "experiments/calibration.h"

#include "coppice/core/text.h"
#include "coppice/model/parts.h"
#include "coppice/run/read.h"
#include "coppice/search/side_by_side.h"

#include "experiments/entries.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

struct CalibrationTask {
  std::string title;
  DataFiles data;
  double lambda;
  Flags turns;
};

std::vector<CalibrationTask> tasks_of(const Session& session) {
  const bool brief = session.counts.short_protocol > 0;
  const Flags angle = brief ? Flags{} : Flags{{"angle", "0.1"}};
  const std::vector<std::function<CalibrationTask()>> all{
      [&] {
        return CalibrationTask{"MNIST", find_mnist(session), 3e-4,
                               brief ? Flags{} : Flags{{"angular-step", "30"}}};
      },
      [&] {
        return CalibrationTask{"rectangles-images", find_rectangles(session), 3e-5, angle};
      },
      [&] {
        return CalibrationTask{"convex", find_convex(session), 1e-5, angle};
      }};
  std::vector<CalibrationTask> tasks;
  for (const auto& make : all) {
    try {
      tasks.push_back(make());
      tasks.back().lambda *= static_cast<double>(session.counts.lambda_times);
    } catch (const MissingData& error) {
      session.say(fmt::format("calibration: left out: {}", error.what()));
    }
  }
  return tasks;
}

Model with_temperature(const Model& model, double temperature) {
  ModelParts parts = model.parts();
  parts.temperature = temperature;
  return Model(std::move(parts));
}

ProbabilityScores scores_on(const Model& model, const Table& table) {
  const Prediction prediction = model.predict(table);
  std::map<std::string, std::size_t> index;
  for (std::size_t k = 0; k < prediction.class_names.size(); ++k) index[prediction.class_names[k]] = k;
  std::vector<std::size_t> labels;
  for (std::size_t row = 0; row < table.rows(); ++row)
    labels.push_back(index.at(std::string(table.text(model.target(), row))));
  return score_probabilities(prediction.probabilities, labels);
}

CalibrationArm arm_of(const std::string& way, const TrainedNets& nets, const DataFiles& data) {
  CalibrationArm arm{.way = way};
  std::optional<Table> table;
  for (const NetResult& net : nets.summary.nets) {
    const Model model =
        Model::load((std::filesystem::path(nets.directory) / fmt::format("net-{}.coppice", net.id)).string());
    if (!table) {
      ReadOptions reading = read_options_for(model, true);
      reading.test_part = true;
      table = read_table(data.test.empty() ? data.train : data.test, reading);
    }
    arm.nets.push_back({.net = net,
                        .temperature = model.temperature(),
                        .before = scores_on(with_temperature(model, 1), *table),
                        .after = scores_on(model, *table)});
  }
  return arm;
}

CalibrationSet train_set(const Session& session, const CalibrationTask& task, std::size_t rank,
                         std::vector<Provenance>& made) {
  const Flags protocol = session.counts.short_protocol > 0
                             ? Flags{{"effort", "quick"}}
                             : Flags{{"effort", "paper"}, {"batch-size", "1000"}};
  const auto order = [&](const std::string& what, const Flags& flags) {
    return NetsOrder{.name = fmt::format("calibration-{}-{}", task.data.name, what),
                     .data = task.data,
                     .flags = flags + protocol + Flags{{"seeds", std::to_string(session.counts.seeds)}},
                     .bulk = Bulk::keep};
  };
  const TrainedNets grown =
      train_side_by_side(
          session, {order("grown", Flags{{"lambda", fmt::format("{:g}", task.lambda)}} + task.turns)}, rank)
          .front();
  const std::vector<NetResult>& nets = grown.summary.nets;
  std::string size = size_text(nets[representative(nets)].hidden_units);
  std::ranges::replace(size, '-', ',');
  const Flags same =
      Flags{{"fixed-size", size}, {"radial-step", numbers_text({1 / (50 * task.lambda)})}} + task.turns;
  const Flags usual{{"fixed-size", size}, {"norm", "batchnorm"}, {"optimizer", "momentum"}, {"step", "100"}};
  const std::vector<TrainedNets> fixed =
      train_side_by_side(session,
                         {order("same", same), order("uncapped", same + Flags{{"output-capnorm", "off"}}),
                          order("usual", usual), order("smooth", usual + Flags{{"label-smoothing", "0.1"}})},
                         rank);
  made.push_back(grown.provenance);
  for (const TrainedNets& one : fixed) made.push_back(one.provenance);
  return {.title = task.title,
          .lambda = task.lambda,
          .arms = {arm_of(calibrated_itself, grown, task.data), arm_of(calibrated_same, fixed[0], task.data),
                   arm_of(calibrated_uncapped, fixed[1], task.data),
                   arm_of(calibrated_usual, fixed[2], task.data),
                   arm_of(calibrated_smooth, fixed[3], task.data)}};
}

EntryPage calibration_page(const Session& session, const std::vector<CalibrationSet>& sets) {
  return {
      .name = "calibration",
      .title = "Whether probabilities mean what they say",
      .introduction = fmt::format(
          "Log-loss, Brier score and calibration error (ten intervals of the largest probability) on test "
          "rows, before the temperature that is fitted on validation rows and with it; {} seeds. Nets "
          "that size themselves have scores of a deviation of at most 1, so that they are too modest "
          "before. Beside them nets of their size: trained alike, with the cap on the outputs and without; "
          "as "
          "one usually trains them (momentum with a step of 100, batch normalisation, no cap); and the same "
          "with a tenth of every label given to all classes alike.",
          session.counts.seeds),
      .claims = calibration_claims(sets),
      .details = calibration_details(sets)};
}

}  // namespace

void make_calibration(const Session& session) {
  const std::vector<CalibrationTask> tasks = tasks_of(session);
  std::vector<CalibrationSet> sets(tasks.size());
  std::vector<std::vector<Provenance>> made(tasks.size());
  side_by_side(tasks.size(), session.lanes->count() > 1 ? tasks.size() : 1, [&](std::size_t i) {
    sets[i] = train_set(session, tasks[i], i, made[i]);
    return true;
  });
  const Rows rows = calibration_rows(sets);
  // Numbers as they are stored, so that a page judged again is the same.
  EntryPage page = calibration_page(session, stored_calibration({.rows = rows}));
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    page.provenances = page.provenances + made[i];
    page.data.push_back(tasks[i].data);
  }
  write_entry(session, page, rows, draw_calibration(sets));
}

void judge_calibration(const Session& session, const StoredEntry& stored) {
  EntryPage page = calibration_page(session, stored_calibration(stored));
  page.provenances = stored.provenances;
  page.data = stored.data;
  page.version = stored.version;
  write_page(session, page);
}

}  // namespace coppice::experiments
