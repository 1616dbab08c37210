#include "coppice/core/spread.h"
#include "coppice/core/text.h"
#include "coppice/model/parts.h"
#include "coppice/report/history.h"
#include "coppice/search/side_by_side.h"

#include "experiments/cut_nets.h"
#include "experiments/why.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

/// A way of training from random weights. Of several values of a flag the one with the lowest median validation error
/// is taken.
struct Planned {
  Way way = {};
  std::string what = {};  ///< the name of its runs
  Flags flags = {};
  std::string varied = {};
  std::vector<std::string> values = {""};
  Bulk bulk = Bulk::remove;

  std::string run_name(const std::string& value) const {
    return varied.empty() ? what : fmt::format("{}-{}", what, value);
  }
};

/// Everything on one set.
class Maker {
 public:
  Maker(const Session& session, WhyTask task, std::size_t rank, std::vector<Provenance>& made)
      : session_(&session), task_(std::move(task)), rank_(rank), made_(&made) {}

  WhySet make() {
    const Planned itself{.way = {by_itself, "itself", "adarad", "capnorm", "on", ""},
                         .what = "grown",
                         .flags = lambda() + task_.grows + task_.turns,
                         .bulk = Bulk::keep};
    train({itself});
    const TrainedNets& grown = nets_of("grown");
    size_ = grown.summary.nets[representative(grown.summary.nets)].hidden_units;
    const std::vector<Planned> to_cut{larger(), unpenalised()};
    const std::vector<Planned> ways = sized() + fixed_ways();
    // Nets that are cut and trained on do not wait for the others, nor they for them.
    std::vector<GoneOn> gone_on;
    std::optional<Planned> smooth;
    side_by_side(2, session_->lanes->count(), [&](std::size_t chain) {
      if (chain == 0) {
        train(to_cut);
        gone_on = {cut({pruned_net, "pruned", "adarad", "capnorm", "on", ""}, "larger"),
                   cut({cut_net, "cut", "adarad", "capnorm", "on", ""}, "unpenalised"), set_back_grown()};
        train({}, gone_on);
      } else {
        train(ways);
        const auto usual =
            std::ranges::find(ways, usual_net, [](const Planned& way) { return way.way.name; });
        smooth = usual_smoothed(arm_of(*usual).step);
        train({*smooth});
      }
      return true;
    });
    std::ranges::sort(*made_, {}, &Provenance::name);
    WhySet set{.title = task_.title, .lambda = task_.lambda, .arms = {arm_of(itself)}};
    for (const Planned& way : ways) set.arms.push_back(arm_of(way));
    set.arms.push_back(arm_of(*smooth));
    set.arms.push_back(arm_of(to_cut.front()));
    for (const GoneOn& way : gone_on) set.arms.push_back(arm_of(way));
    return set;
  }

 private:
  /// Nets made of others and trained on, without growing and with hardly any penalty; one run.
  struct GoneOn {
    Way way = {};
    NetsOrder order = {};
  };

  static std::string flag_of(const std::vector<std::size_t>& units) {
    std::string text = size_text(units);
    std::ranges::replace(text, '-', ',');
    return text;
  }
  static std::vector<std::size_t> times(std::vector<std::size_t> units, std::size_t factor) {
    for (std::size_t& count : units) count *= factor;
    return units;
  }
  static std::vector<std::string> first(std::size_t count, std::vector<std::string> values) {
    values.resize(std::min(count, values.size()));
    return values;
  }
  static Flags fixed(const std::vector<std::size_t>& units) { return {{"fixed-size", flag_of(units)}}; }
  Flags lambda() const { return {{"lambda", fmt::format("{:g}", task_.lambda)}}; }
  Flags lifetime() const { return {{"radial-step", task_.radial_step()}}; }
  static Flags bare() { return {{"norm", "none"}, {"output-capnorm", "off"}}; }
  Flags adarad() const { return lifetime() + task_.turns; }
  /// A penalty too small to end a unit, and the radial step of the others. Waiting for units to die is left out.
  Flags hardly_penalised() const {
    return Flags{{"lambda", fmt::format("{:g}", 1e-6 * task_.lambda)},
                 {"radial-step", task_.radial_step()},
                 {"settle-epochs", "1"}};
  }
  std::vector<std::string> smoothings() const { return first(session_->counts.why_steps, {"0.1", "0.3"}); }

  std::vector<Planned> sized() const {
    return {{.way = {by_itself_uncapped, "itself", "adarad", "capnorm", "off", ""},
             .what = "grown-uncapped",
             .flags = lambda() + task_.grows + task_.turns + Flags{{"output-capnorm", "off"}}},
            {.way = {by_itself_momentum, "itself", "momentum", "capnorm", "on", ""},
             .what = "grown-momentum",
             .flags = lambda() + task_.grows + Flags{{"optimizer", "momentum"}}},
            {.way = {bare_itself, "itself", "adarad", "none", "off", ""},
             .what = "grown-bare",
             .flags = lambda() + task_.grows + task_.turns + bare()},
            {.way = {shrunk_net, "shrinks", "adarad", "capnorm", "on", ""},
             .what = "shrunk",
             .flags = fixed(size_) + lambda() + lifetime() + task_.turns}};
  }

  /// Optimizer x normalisation x cap on the output, of the size that was found; then smoothed labels.
  std::vector<Planned> fixed_ways() const {
    std::vector<Planned> ways;
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
          Planned& planned = ways.emplace_back(
              Planned{.way = way,
                      .what = fmt::format("{}-{}-{}", optimizer, norm, capped ? "capped" : "uncapped"),
                      .flags = fixed(size_) + Flags{{"norm", norm}} + cap});
          if (turns) {
            planned.flags = planned.flags + adarad();
            continue;
          }
          planned.flags.emplace_back("optimizer", optimizer);
          planned.varied = "step";
          planned.values = first(session_->counts.why_steps, {"100", "30", "300"});
        }
      }
    }
    // A penalised net shrinks by step times lambda per epoch: with small steps that has no end.
    for (const bool penalised : {false, true}) {
      ways.push_back({.way = {penalised ? bare_penalised : bare_net, penalised ? "shrinks" : "fixed",
                              "momentum", "none", "off", ""},
                      .what = penalised ? "momentum-bare-penalised" : "momentum-bare",
                      .flags = fixed(size_) + bare() + Flags{{"optimizer", "momentum"}} +
                               (penalised ? lambda() : Flags{}),
                      .varied = "step",
                      .values = penalised ? first(session_->counts.why_steps, {"100", "300"})
                                          : first(session_->counts.why_steps, {"10", "100", "1"})});
    }
    ways.push_back({.way = {same_size_smooth, "fixed", "adarad", "capnorm", "off", ""},
                    .what = "adarad-smooth",
                    .flags = fixed(size_) + Flags{{"output-capnorm", "off"}} + adarad(),
                    .varied = "label-smoothing",
                    .values = smoothings()});
    return ways;
  }

  Planned usual_smoothed(const std::string& step) const {
    return {.way = {usual_smooth, "fixed", "momentum", "batchnorm", "off", ""},
            .what = "momentum-smooth",
            .flags = fixed(size_) + Flags{{"norm", "batchnorm"}, {"optimizer", "momentum"}, {"step", step}},
            .varied = "label-smoothing",
            .values = smoothings()};
  }

  Planned larger() const {
    return {.way = {larger_net, "fixed", "adarad", "capnorm", "on", ""},
            .what = "larger",
            .flags = fixed(times(size_, 3)) + adarad(),
            .bulk = Bulk::keep};
  }

  /// Of no way of its own: it is cut.
  Planned unpenalised() const {
    const std::size_t units = 2 * *std::ranges::max_element(size_);
    return {.what = "unpenalised",
            .flags = hardly_penalised() + task_.grows + task_.turns +
                     Flags{{"grow-epochs", std::to_string((units + task_.additions - 1) / task_.additions)}},
            .bulk = Bulk::keep};
  }

  std::string folder(const std::string& what) const {
    return fmt::format("why-{}-{}", task_.data.name, what);
  }

  void train(const std::vector<Planned>& ways, const std::vector<GoneOn>& gone_on = {}) {
    std::vector<NetsOrder> orders;
    std::vector<std::string> names;
    for (const Planned& way : ways) {
      for (const std::string& value : way.values) {
        names.push_back(way.run_name(value));
        Flags flags = way.flags;
        if (!way.varied.empty()) flags.emplace_back(way.varied, value);
        orders.push_back(
            {.name = folder(names.back()),
             .data = task_.data,
             .flags = flags + task_.protocol + Flags{{"seeds", std::to_string(session_->counts.seeds)}},
             .bulk = way.bulk});
      }
    }
    for (const GoneOn& way : gone_on) {
      names.push_back(way.order.name);
      orders.push_back(way.order);
    }
    std::vector<TrainedNets> nets = train_side_by_side(*session_, orders, rank_);
    const std::scoped_lock lock(mutex_);
    for (std::size_t i = 0; i < names.size(); ++i) {
      made_->push_back(nets[i].provenance);
      trained_[names[i]] = std::move(nets[i]);
    }
  }

  /// Of a run that has ended; the reference stays good while others end.
  const TrainedNets& nets_of(const std::string& what) const {
    const std::scoped_lock lock(mutex_);
    return trained_.at(what);
  }

  Arm arm_of(const Planned& planned) const {
    Arm best{.way = planned.way};
    double lowest = INFINITY;
    for (const std::string& value : planned.values) {
      const std::vector<NetResult>& nets = nets_of(planned.run_name(value)).summary.nets;
      std::vector<double> errors;
      for (const NetResult& net : nets)
        errors.push_back(std::isfinite(net.validation_error) ? net.validation_error : 1);
      const double median = spread_of(errors).median;
      if (!best.nets.empty() && median >= lowest) continue;
      lowest = median;
      best.nets = nets;
      if (!planned.varied.empty()) (planned.varied == "step" ? best.step : best.way.smoothing) = value;
    }
    return best;
  }

  Arm arm_of(const GoneOn& way) const {
    return {.way = way.way, .nets = nets_of(way.order.name).summary.nets};
  }

  GoneOn cut(const Way& way, const std::string& from) const {
    return go_on(way, way.sizing, nets_of(from),
                 [&](const Network<float>& network, const NetResult&) { return cut_to(network, size_); });
  }

  GoneOn set_back_grown() const {
    const TrainedNets& grown = nets_of("grown");
    std::vector<std::size_t> ids;
    for (const NetResult& net : grown.summary.nets) ids.push_back(net.id);
    const std::vector<NetHistory> histories =
        read_journal((std::filesystem::path(grown.directory) / "journal.jsonl").string(), ids);
    return go_on({set_back_net, "set back", "adarad", "capnorm", "on", ""}, "set-back", grown,
                 [&](const Network<float>& network, const NetResult& net) {
                   return set_back(network, histories[net.id].lives, net.seed);
                 });
  }

  /// A net made of every net of `from`, all in one run.
  GoneOn go_on(const Way& way, const std::string& what, const TrainedNets& from,
               const std::function<Network<float>(const Network<float>&, const NetResult&)>& change) const {
    std::vector<Network<float>> networks;
    std::optional<Model> first;
    for (const NetResult& net : from.summary.nets) {
      const Model before = Model::load(
          (std::filesystem::path(from.directory) / fmt::format("net-{}.coppice", net.id)).string());
      networks.push_back(change(before.parts().network, net));
      if (!first) first = before;
    }
    return {.way = way,
            .order = {.name = folder(what),
                      .data = task_.data,
                      .flags = hardly_penalised() + task_.protocol + task_.turns +
                               Flags{{"add-units", "0"}, {"seeds", std::to_string(session_->counts.seeds)}},
                      .begin_with = with_networks(*first, std::move(networks))}};
  }

  const Session* session_;
  WhyTask task_;
  std::size_t rank_;
  std::vector<Provenance>* made_;
  mutable std::mutex mutex_ = {};  ///< of what follows: two chains of runs fill it
  std::map<std::string, TrainedNets> trained_ = {};
  std::vector<std::size_t> size_ = {};
};

}  // namespace

WhySet train_why(const Session& session, const WhyTask& task, std::size_t rank,
                 std::vector<Provenance>& made) {
  return Maker(session, task, rank, made).make();
}

}  // namespace coppice::experiments
