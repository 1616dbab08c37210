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
  Maker(const Session& session, WhyTask task, std::size_t rank, SoFar<WhySet>& so_far)
      : session_(&session),
        task_(std::move(task)),
        rank_(rank),
        so_far_(&so_far),
        kept_(so_far.set.value_or(WhySet{})) {}

  void make() {
    try {
      train_all();
    } catch (const Interrupted&) {
      show();
      throw;
    }
    show();
  }

 private:
  /// Nets made of others and trained on, without growing and with hardly any penalty; one run.
  struct GoneOn {
    Way way = {};
    NetsOrder order = {};
  };

  void train_all() {
    // What is trained again takes the place of what is kept, but for the size that the others were given.
    if (lacks(by_itself) || lacks(set_back_net)) train({itself()});
    const std::vector<NetResult>& sized_nets =
        lacks(by_itself) ? nets_of("grown").summary.nets : kept_.find(by_itself)->nets;
    size_ = sized_nets[representative(sized_nets)].hidden_units;
    // Nets that are cut and trained on do not wait for the others, nor they for them.
    side_by_side(2, session_->lanes->count(), [&](std::size_t chain) {
      if (chain == 0) {
        std::vector<Planned> to_cut;
        if (lacks(larger_net) || lacks(pruned_net)) to_cut.push_back(larger());
        if (lacks(cut_net)) to_cut.push_back(unpenalised());
        train(to_cut);
        std::vector<GoneOn> gone_on;
        for (const Way& way : gone_on_ways())
          if (lacks(way.name)) gone_on.push_back(made_of_others(way));
        train_on(gone_on);
      } else {
        std::vector<Planned> ways = sized() + fixed_ways();
        std::erase_if(ways, [&](const Planned& way) { return !lacks(way.way.name); });
        train(ways);
        if (lacks(usual_smooth)) train({usual_smoothed()});
      }
      return true;
    });
  }

  bool lacks(const std::string& way) const { return kept_.find(way) == nullptr; }

  /// Every way whose runs have ended, or that is kept, in the order of the page.
  void show() {
    if (size_.empty()) return;
    std::vector<Arm> arms;
    const auto add = [&](const std::string& way, const std::optional<Arm>& trained) {
      if (trained) {
        arms.push_back(*trained);
      } else if (const Arm* kept = kept_.find(way)) {
        arms.push_back(*kept);
      }
    };
    add(by_itself, arm_of(itself()));
    for (const Planned& way : sized() + fixed_ways()) add(way.way.name, arm_of(way));
    add(usual_smooth, trained_usual() ? arm_of(usual_smoothed()) : std::nullopt);
    add(larger_net, arm_of(larger()));
    for (const Way& way : gone_on_ways()) add(way.name, gone_on_arm(way));
    std::ranges::sort(so_far_->made, {}, &Provenance::name);
    so_far_->set = WhySet{.title = task_.title, .lambda = task_.lambda, .arms = std::move(arms)};
  }

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
  Planned itself() const {
    return {.way = {by_itself, "itself", "adarad", "capnorm", "on", ""},
            .what = "grown",
            .flags = lambda() + task_.grows + task_.turns,
            .bulk = Bulk::keep};
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

  /// Those whose steps smoothed labels take over; nothing as long as they are not there.
  std::optional<Arm> trained_usual() const {
    if (const Arm* kept = kept_.find(usual_net)) return *kept;
    const std::vector<Planned> ways = fixed_ways();
    return arm_of(*std::ranges::find(ways, usual_net, [](const Planned& way) { return way.way.name; }));
  }

  Planned usual_smoothed() const {
    const std::string step = trained_usual()->step;
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

  void train(const std::vector<Planned>& ways) {
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
    train_orders(names, orders);
  }

  void train_on(const std::vector<GoneOn>& ways) {
    std::vector<NetsOrder> orders;
    std::vector<std::string> names;
    for (const GoneOn& way : ways) {
      names.push_back(way.way.sizing);
      orders.push_back(way.order);
    }
    train_orders(names, orders);
  }

  void train_orders(const std::vector<std::string>& names, const std::vector<NetsOrder>& orders) {
    train_side_by_side(*session_, orders, rank_, [&](std::size_t i, const TrainedNets& nets) {
      const std::scoped_lock lock(mutex_);
      so_far_->add_run(nets.provenance);
      trained_[names[i]] = nets;
    });
  }

  /// Of a run that has ended; the reference stays good while others end.
  const TrainedNets& nets_of(const std::string& what) const {
    const std::scoped_lock lock(mutex_);
    return trained_.at(what);
  }

  bool has_ended(const std::string& what) const {
    const std::scoped_lock lock(mutex_);
    return trained_.contains(what);
  }

  /// Nothing unless all of its runs have ended.
  std::optional<Arm> arm_of(const Planned& planned) const {
    Arm best{.way = planned.way};
    double lowest = INFINITY;
    for (const std::string& value : planned.values) {
      if (!has_ended(planned.run_name(value))) return std::nullopt;
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

  std::optional<Arm> gone_on_arm(const Way& way) const {
    if (!has_ended(way.sizing)) return std::nullopt;
    return Arm{.way = way, .nets = nets_of(way.sizing).summary.nets};
  }

  /// `sizing` is the name of the run, too.
  static std::vector<Way> gone_on_ways() {
    return {{pruned_net, "pruned", "adarad", "capnorm", "on", ""},
            {cut_net, "cut", "adarad", "capnorm", "on", ""},
            {set_back_net, "set back", "adarad", "capnorm", "on", ""}};
  }

  GoneOn made_of_others(const Way& way) const {
    if (way.name == pruned_net) return cut(way, "larger");
    return way.name == cut_net ? cut(way, "unpenalised") : set_back_grown(way);
  }

  GoneOn cut(const Way& way, const std::string& from) const {
    return go_on(way, way.sizing, nets_of(from),
                 [&](const Network<float>& network, const NetResult&) { return cut_to(network, size_); });
  }

  GoneOn set_back_grown(const Way& way) const {
    const TrainedNets& grown = nets_of("grown");
    std::vector<std::size_t> ids;
    for (const NetResult& net : grown.summary.nets) ids.push_back(net.id);
    const std::vector<NetHistory> histories =
        read_journal((std::filesystem::path(grown.directory) / "journal.jsonl").string(), ids);
    return go_on(way, "set-back", grown, [&](const Network<float>& network, const NetResult& net) {
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
  SoFar<WhySet>* so_far_;
  WhySet kept_;
  mutable std::mutex mutex_ = {};  ///< of what follows, and of runs told: two chains fill it
  std::map<std::string, TrainedNets> trained_ = {};
  std::vector<std::size_t> size_ = {};
};

}  // namespace

void train_why(const Session& session, const WhyTask& task, std::size_t rank, SoFar<WhySet>& so_far) {
  Maker(session, task, rank, so_far).make();
}

}  // namespace coppice::experiments
