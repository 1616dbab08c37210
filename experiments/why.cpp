#include "experiments/why.h"

#include "coppice/core/fail.h"
#include "coppice/core/spread.h"
#include "coppice/core/text.h"
#include "coppice/model/parts.h"
#include "coppice/report/history.h"

#include "experiments/cut_nets.h"
#include "experiments/entries.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

/// A set with how its nets are trained.
struct Task {
  std::string title;
  DataFiles data;
  double lambda;
  double lifetime;  ///< epochs of a useless unit, which sets the radial step
  Flags protocol;   ///< of every net
  Flags grows;      ///< of nets that gain units
  Flags turns;      ///< of AdaRad

  std::string radial_step() const { return fmt::format("{:g}", 1 / (lifetime * lambda)); }
};

Task image_task(const Session& session, const std::string& title, DataFiles data, double lambda,
                const Flags& turns) {
  const Counts& counts = session.counts;
  if (counts.short_protocol > 0)
    return {title, std::move(data),       lambda * static_cast<double>(counts.lambda_times),
            8,     {{"effort", "quick"}}, {},
            {}};
  return {title, std::move(data), lambda, 50, {{"effort", "paper"}, {"batch-size", "1000"}}, {}, turns};
}

Task poker_task(const Session& session) {
  const double lambda = 1e-5;
  if (session.counts.short_protocol > 0)
    return {"poker", find_poker(session), lambda, 8, {{"effort", "quick"}}, {{"hidden-layers", "4"}}, {}};
  return {"poker",
          find_poker(session),
          lambda,
          5,
          {{"effort", "paper"}, {"batch-size", "1000"}, {"patience", "10"}, {"fine-patience", "0.5"}},
          {{"hidden-layers", "4"}, {"unit-lifetime", "5"}, {"additions-per-epoch", "10"}},
          {{"angular-step", "10"}}};
}

/// Those sets that are there, at most so many as the counts say.
std::vector<Task> tasks_of(const Session& session) {
  std::vector<std::function<Task()>> all{
      [&] {
        return image_task(session, "MNIST", find_mnist(session), 3e-4, {{"angular-step", "30"}});
      },
      [&] {
        return image_task(session, "rectangles-images", find_rectangles(session), 3e-5, {{"angle", "0.1"}});
      },
      [&] {
        return image_task(session, "convex", find_convex(session), 1e-5, {{"angle", "0.1"}});
      },
      [&] { return poker_task(session); }};
  std::vector<Task> tasks;
  for (const auto& make : all) {
    if (tasks.size() == session.counts.why_sets) break;
    try {
      tasks.push_back(make());
    } catch (const MissingData& error) {
      session.say(fmt::format("why: left out: {}", error.what()));
    }
  }
  return tasks;
}

/// Everything on one set.
class Maker {
 public:
  Maker(const Session& session, Task task, std::vector<Provenance>& made)
      : session_(&session), task_(std::move(task)), made_(&made) {}

  WhySet make() {
    WhySet set{.title = task_.title, .lambda = task_.lambda};
    const Flags lambda{{"lambda", fmt::format("{:g}", task_.lambda)}};
    const Flags growing = lambda + task_.grows + task_.turns;
    const TrainedNets grown = train("grown", growing, Bulk::keep);
    size_ = grown.summary.nets[representative(grown.summary.nets)].hidden_units;
    const auto add = [&](const Way& way, const TrainedNets& nets, const std::string& step = {}) {
      set.arms.push_back({.way = way, .step = step, .nets = nets.summary.nets});
    };
    add({by_itself, "itself", "adarad", "capnorm", "on", ""}, grown);
    add({by_itself_uncapped, "itself", "adarad", "capnorm", "off", ""},
        train("grown-uncapped", growing + Flags{{"output-capnorm", "off"}}));
    add({"sized by itself, momentum", "itself", "momentum", "capnorm", "on", ""},
        train("grown-momentum", lambda + task_.grows + Flags{{"optimizer", "momentum"}}));
    add({shrunk_net, "shrinks", "adarad", "capnorm", "on", ""},
        train("shrunk", Flags{{"fixed-size", flag_of(size_)}} + lambda + lifetime() + task_.turns));
    add_fixed(set);
    const std::vector<std::size_t> wide = times(size_, 3);
    const TrainedNets larger = train("larger", fixed(wide) + adarad(), Bulk::keep);
    add({larger_net, "fixed", "adarad", "capnorm", "on", ""}, larger);
    const std::size_t most = *std::ranges::max_element(size_);
    const TrainedNets unpenalised = train(
        "unpenalised",
        hardly_penalised() + task_.grows + task_.turns + Flags{{"grow-epochs", std::to_string(2 * most)}},
        Bulk::keep);
    const auto cut = [&](const Model& model, const NetResult&) {
      return with_network(model, cut_to(model.parts().network, size_));
    };
    set.arms.push_back(go_on({pruned_net, "pruned", "adarad", "capnorm", "on", ""}, "pruned", larger, cut));
    set.arms.push_back(go_on({cut_net, "cut", "adarad", "capnorm", "on", ""}, "cut", unpenalised, cut));
    const std::vector<NetHistory> histories = histories_of(grown);
    set.arms.push_back(go_on({set_back_net, "set back", "adarad", "capnorm", "on", ""}, "set-back", grown,
                             [&](const Model& model, const NetResult& net) {
                               return with_network(
                                   model, set_back(model.parts().network, histories[net.id].lives, net.seed));
                             }));
    return set;
  }

 private:
  static std::string flag_of(const std::vector<std::size_t>& units) {
    std::string text = size_text(units);
    std::ranges::replace(text, '-', ',');
    return text;
  }
  static std::vector<std::size_t> times(std::vector<std::size_t> units, std::size_t factor) {
    for (std::size_t& count : units) count *= factor;
    return units;
  }
  static Flags fixed(const std::vector<std::size_t>& units) { return {{"fixed-size", flag_of(units)}}; }
  Flags adarad() const { return Flags{{"radial-step", task_.radial_step()}} + task_.turns; }
  Flags lifetime() const { return {{"radial-step", task_.radial_step()}}; }
  /// A penalty too small to end a unit, and the radial step of the others.
  Flags hardly_penalised() const {
    return Flags{{"lambda", fmt::format("{:g}", 1e-6 * task_.lambda)}, {"radial-step", task_.radial_step()}};
  }

  TrainedNets train(const std::string& what, const Flags& flags, Bulk bulk = Bulk::remove) {
    TrainedNets nets =
        train_nets(*session_, fmt::format("why-{}-{}", task_.data.name, what), task_.data,
                   flags + task_.protocol + Flags{{"seeds", std::to_string(session_->counts.seeds)}}, bulk);
    made_->push_back(nets.provenance);
    return nets;
  }

  /// Of several values of a flag the one with the lowest median validation error.
  void add_best(WhySet& set, const Way& way, const std::string& what, const Flags& flags,
                const std::string& name, const std::vector<std::string>& values) {
    Arm best{.way = way};
    double lowest = INFINITY;
    for (const std::string& value : values) {
      const TrainedNets nets = train(fmt::format("{}-{}", what, value), flags + Flags{{name, value}});
      std::vector<double> errors;
      for (const NetResult& net : nets.summary.nets)
        errors.push_back(std::isfinite(net.validation_error) ? net.validation_error : 1);
      const double median = spread_of(errors).median;
      if (!best.nets.empty() && median >= lowest) continue;
      lowest = median;
      best.nets = nets.summary.nets;
      (name == "step" ? best.step : best.way.smoothing) = value;
    }
    set.arms.push_back(std::move(best));
  }

  /// Optimizer x normalisation x cap on the output, of the size that was found; then smoothed labels.
  void add_fixed(WhySet& set) {
    const std::vector<std::string> steps = first(session_->counts.why_steps, {"100", "30", "300"});
    const std::vector<std::string> smoothings = first(session_->counts.why_steps, {"0.1", "0.3"});
    for (const char* optimizer : {"adarad", "momentum"}) {
      const bool turns = std::string(optimizer) == "adarad";
      for (const char* norm : {"capnorm", "batchnorm"}) {
        for (const bool capped : {true, false}) {
          const bool batchnorm = std::string(norm) == "batchnorm";
          const Way way{
              .name = fmt::format("{}{}{}{}", same_size_net, turns ? "" : ", momentum",
                                  batchnorm ? ", batch normalisation" : "",
                                  capped == batchnorm ? (capped ? ", capped" : ", output not capped") : ""),
              .sizing = "fixed",
              .optimizer = optimizer,
              .norm = norm,
              .output_cap = capped ? "on" : "off"};
          const Flags cap = batchnorm ? Flags{{"capped-batchnorm", capped ? "on" : "off"}}
                                      : Flags{{"output-capnorm", capped ? "on" : "off"}};
          const Flags flags = fixed(size_) + Flags{{"norm", norm}} + cap;
          const std::string what = fmt::format("{}-{}-{}", optimizer, norm, capped ? "capped" : "uncapped");
          if (turns)
            set.arms.push_back({.way = way, .nets = train(what, flags + adarad()).summary.nets});
          else
            add_best(set, way, what, flags + Flags{{"optimizer", optimizer}}, "step", steps);
        }
      }
    }
    add_best(set, {same_size_smooth, "fixed", "adarad", "capnorm", "off", ""}, "adarad-smooth",
             fixed(size_) + Flags{{"output-capnorm", "off"}} + adarad(), "label-smoothing", smoothings);
    const std::string step = set.find(usual_net)->step;
    add_best(set, {usual_smooth, "fixed", "momentum", "batchnorm", "off", ""}, "momentum-smooth",
             fixed(size_) + Flags{{"norm", "batchnorm"}, {"optimizer", "momentum"}, {"step", step}},
             "label-smoothing", smoothings);
  }

  static std::vector<std::string> first(std::size_t count, std::vector<std::string> values) {
    values.resize(std::min(count, values.size()));
    return values;
  }

  static std::vector<NetHistory> histories_of(const TrainedNets& nets) {
    std::vector<std::size_t> ids;
    for (const NetResult& net : nets.summary.nets) ids.push_back(net.id);
    return read_journal((std::filesystem::path(nets.directory) / "journal.jsonl").string(), ids);
  }

  /// A net made of every net of `from`, trained on without growing and with hardly any penalty.
  Arm go_on(const Way& way, const std::string& what, const TrainedNets& from,
            const std::function<Model(const Model&, const NetResult&)>& change) {
    Arm arm{.way = way};
    for (const NetResult& net : from.summary.nets) {
      const Model before = Model::load(
          (std::filesystem::path(from.directory) / fmt::format("net-{}.coppice", net.id)).string());
      const TrainedNets after =
          train_nets(*session_, fmt::format("why-{}-{}-{}", task_.data.name, what, net.seed), task_.data,
                     hardly_penalised() + task_.protocol + task_.turns +
                         Flags{{"add-units", "0"}, {"seed", std::to_string(net.seed)}},
                     Bulk::remove, change(before, net));
      arm.nets.push_back(after.summary.nets.front());
      if (net.id == from.summary.nets.front().id) made_->push_back(after.provenance);
    }
    return arm;
  }

  const Session* session_;
  Task task_;
  std::vector<Provenance>* made_;
  std::vector<std::size_t> size_ = {};
};

EntryPage why_page(const Session& session, const std::vector<WhySet>& sets) {
  return {
      .name = "why",
      .title = "Why nets that size themselves do well",
      .introduction = fmt::format(
          "The paper's comparison changes several things at once: nets that size themselves are trained by "
          "AdaRad, "
          "with CapNorm and with a cap on the outputs, others are not. Here one is changed at a time, {} "
          "seeds "
          "each. *Same size*: the units of a typical net that sized itself, from random weights, without a "
          "penalty. Steps of momentum and shares of smoothed labels are those of the lowest median "
          "validation "
          "error. *Pruned*: nets of three times the units, trained, cut to the size by the product of the "
          "lengths of fan-in and fan-out, trained on. *Grown without penalty, then cut*: the same of nets "
          "that "
          "grew to twice the units of the widest layer in every layer. *Set back*: the nets that sized "
          "themselves, every unit with the fan-in that it was born with, trained on without growing. Nets "
          "that "
          "are trained on pass through all phases of the protocol, with no units added and a millionth of "
          "lambda.",
          session.counts.seeds),
      .claims = why_claims(sets),
      .details = why_details(sets)};
}

}  // namespace

void make_why(const Session& session) {
  std::vector<WhySet> sets;
  std::vector<Provenance> made;
  std::vector<DataFiles> data;
  for (const Task& task : tasks_of(session)) {
    data.push_back(task.data);
    sets.push_back(Maker(session, task, made).make());
  }
  EntryPage page = why_page(session, sets);
  page.provenances = made;
  page.data = data;
  write_entry(session, page, why_rows(sets), draw_why(sets));
}

void judge_why(const Session& session, const StoredEntry& stored) {
  EntryPage page = why_page(session, stored_why(stored));
  page.provenances = stored.provenances;
  page.data = stored.data;
  page.version = stored.version;
  write_page(session, page);
}

}  // namespace coppice::experiments
