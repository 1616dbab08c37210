#include "coppice/run/journal.h"

#include "coppice/core/names.h"
#include "coppice/core/text.h"
#include "coppice/model/parse_json.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <filesystem>
#include <type_traits>

#include <nlohmann/json.hpp>

namespace coppice {

namespace journal {

namespace {

/// No run has more; larger numbers are a damaged line, not a reason to allocate.
constexpr std::size_t most_nets = 100'000;
constexpr std::size_t most_layers = 1000;

template <class T>
concept Enum = std::is_enum_v<T>;
template <class T, class Kind>
concept Is = std::same_as<std::remove_const_t<T>, Kind>;

// What the lines hold. Writer and reader walk the same lists: `field` must be there, `maybe` need not.
template <class Walk>
void fields(Walk& walk, Is<Start> auto& e) {
  walk.maybe("lambda", e.lambda);
  walk.maybe("seed", e.seed);
  walk.maybe("hidden_units", e.hidden_units);
  walk.maybe("device", e.device);
  walk.maybe("warm_from", e.warm_from);
}
template <class Walk>
void fields(Walk& walk, Is<Epoch> auto& e) {
  walk.field("phase", e.phase);
  walk.maybe("train_loss", e.train_loss);
  walk.maybe("validation_error", e.validation_error);
  walk.maybe("criterion", e.criterion);
  walk.field("hidden_units", e.hidden_units);
  walk.step(e.step_name, e.step);
  walk.maybe("lambda", e.lambda);
  walk.maybe("steps", e.steps);
  walk.if_any("mean_angle", e.mean_angle);
  walk.if_any("flips", e.flips);
  walk.if_any("held", e.held);
  walk.maybe("seconds", e.seconds);
  walk.maybe("next_phase", e.next_phase);
  walk.maybe("lowest", e.lowest);
  walk.maybe("waited", e.waited);
  walk.maybe("patience", e.patience);
  walk.maybe("to_go", e.to_go);
}
template <class Walk>
void fields(Walk& walk, Is<UnitChange> auto& e) {
  walk.layer("layer", e.layer);
  walk.field("unit", e.unit);
}
template <class Walk>
void fields(Walk& walk, Is<Lengths> auto& e) {
  walk.layer("layer", e.layer);
  walk.field("units", e.units);
  walk.field("fan_in", e.fan_in);
  walk.field("fan_out", e.fan_out);
}
template <class Walk>
void fields(Walk& walk, Is<Rewind> auto& e) {
  walk.field("to_epoch", e.to_epoch);
  walk.field("phase", e.phase);
}
template <class Walk>
void fields(Walk& walk, Is<End> auto& e) {
  walk.field("phase", e.phase);
}

template <class E>
const char* word_of([[maybe_unused]] const E& event) {
  if constexpr (std::same_as<E, UnitChange>) return event.born ? "born" : "died";
  if constexpr (std::same_as<E, Start>) return "start";
  if constexpr (std::same_as<E, Epoch>) return "epoch";
  if constexpr (std::same_as<E, Lengths>) return "lengths";
  if constexpr (std::same_as<E, Rewind>) return "rewind";
  if constexpr (std::same_as<E, End>) return "end";
}

class Writer {
 public:
  template <class T>
  void field(const char* key, const T& value) {
    line_[key] = value;
  }
  template <Enum E>
  void field(const char* key, const E& value) {
    line_[key] = name_of(value);
  }
  template <class T>
  void field(const char* key, const std::optional<T>& value) {
    if (value) field(key, *value);
  }
  template <class T>
  void maybe(const char* key, const T& value) {
    field(key, value);
  }
  void if_any(const char* key, const std::vector<double>& values) {
    if (!values.empty()) line_[key] = values;
  }
  void layer(const char* key, std::size_t layer) { line_[key] = layer + 1; }
  void step(const std::string& name, double value) { line_[name] = value; }

  std::string text() const { return line_.dump() + "\n"; }

 private:
  nlohmann::ordered_json line_;
};

class Reader {
 public:
  explicit Reader(const nlohmann::json& line) : line_(line) {}

  template <class T>
  void field(const char* key, T& value) {
    const auto found = line_.find(key);
    sound_ = sound_ && found != line_.end() && take(*found, value);
  }
  template <class T>
  void maybe(const char* key, T& value) {
    const auto found = line_.find(key);
    if (T read{}; found != line_.end() && take(*found, read)) value = std::move(read);
  }
  void if_any(const char* key, std::vector<double>& values) { maybe(key, values); }
  void layer(const char* key, std::size_t& layer) {
    field(key, layer);
    sound_ = sound_ && layer >= 1 && layer <= most_layers;
    --layer;
  }
  /// The step has the name of what it is.
  void step(std::string& name, double& value) {
    for (const char* key : {"angle", "angular_step", "step"}) {
      if (!line_.contains(key)) continue;
      name = key;
      maybe(key, value);
      return;
    }
  }
  bool sound() const { return sound_; }

 private:
  static bool take(const nlohmann::json& from, double& value) {
    value = from.is_number() ? from.get<double>() : unknown;
    return true;
  }
  template <std::unsigned_integral T>
  static bool take(const nlohmann::json& from, T& value) {
    if (!from.is_number_unsigned() || from.get<std::uint64_t>() > std::numeric_limits<T>::max()) return false;
    value = from.get<T>();
    return true;
  }
  template <Enum E>
  static bool take(const nlohmann::json& from, E& value) {
    const auto named = from.is_string() ? from_name<E>(from.get_ref<const std::string&>()) : std::nullopt;
    value = named.value_or(value);
    return named.has_value();
  }
  template <class T>
  static bool take(const nlohmann::json& from, std::optional<T>& value) {
    return take(from, value.emplace());
  }
  template <class T>
  static bool take(const nlohmann::json& from, std::vector<T>& values) {
    return from.is_array() && std::ranges::all_of(from, [&](const nlohmann::json& entry) {
             return take(entry, values.emplace_back());
           });
  }

  const nlohmann::json& line_;
  bool sound_ = true;
};

template <class E>
std::optional<Event> event_from(const nlohmann::json& line, E event = {}) {
  Reader reader(line);
  reader.field("net", event.net);
  reader.field("epoch", event.epoch);
  fields(reader, event);
  if (!reader.sound() || event.net >= most_nets) return std::nullopt;
  if constexpr (std::same_as<E, Lengths>) {
    const std::size_t units = event.units.size();
    if (event.fan_in.size() != units || event.fan_out.size() != units) return std::nullopt;
  }
  return event;
}

void add_units(std::vector<Event>& events, const EpochReport& report, const std::vector<UnitEvent>& units,
               bool born) {
  for (const UnitEvent& unit : units) {
    events.emplace_back(UnitChange{
        .born = born, .net = report.net, .epoch = report.epoch, .layer = unit.layer, .unit = unit.unit});
  }
}

/// One event per layer. Five digits tell all that a picture can show.
void add_lengths(std::vector<Event>& events, const EpochReport& report) {
  constexpr int digits = 5;
  for (std::size_t layer = 0; layer < report.hidden_units.size(); ++layer) {
    Lengths lengths{.net = report.net, .epoch = report.epoch, .layer = layer};
    for (const UnitLengths& unit : report.lengths) {
      if (unit.layer != layer) continue;
      lengths.units.push_back(unit.unit);
      lengths.fan_in.push_back(rounded_to(unit.fan_in, digits));
      lengths.fan_out.push_back(rounded_to(unit.fan_out, digits));
    }
    events.emplace_back(std::move(lengths));
  }
}

}  // namespace

std::vector<Event> events_of(const EpochReport& report, double seconds) {
  std::vector<Event> events;
  add_units(events, report, report.born, true);
  add_units(events, report, report.died, false);
  const auto of_layers = [&](const auto& number) {
    constexpr int digits = 3;
    std::vector<double> numbers;
    for (const LayerSteps& layer : report.layer_steps) numbers.push_back(rounded_to(number(layer), digits));
    const bool any = std::ranges::any_of(numbers, [](double value) { return value != 0; });
    return any ? numbers : std::vector<double>{};
  };
  const auto share = [](std::size_t part, const LayerSteps& layer) {
    return static_cast<double>(part) / static_cast<double>(layer.unit_steps);
  };
  events.emplace_back(Epoch{.net = report.net,
                            .epoch = report.epoch,
                            .phase = report.phase,
                            .train_loss = report.train_loss,
                            .validation_error = report.validation_error,
                            .criterion = report.criterion,
                            .hidden_units = report.hidden_units,
                            .step_name = std::string(report.step_name),
                            .step = report.step,
                            .lambda = report.lambda,
                            .steps = report.steps,
                            .mean_angle = of_layers([](const LayerSteps& l) { return l.mean_angle; }),
                            .flips = of_layers([&](const LayerSteps& l) { return share(l.flips, l); }),
                            .held = of_layers([&](const LayerSteps& l) { return share(l.held, l); }),
                            .seconds = seconds,
                            .next_phase = report.next_phase,
                            .lowest = report.lowest,
                            .waited = report.waited,
                            .patience = report.patience,
                            .to_go = report.to_go});
  if (!report.lengths.empty()) add_lengths(events, report);
  if (report.rewound_to) {
    events.emplace_back(Rewind{.net = report.net,
                               .epoch = report.epoch,
                               .to_epoch = *report.rewound_to,
                               .phase = report.next_phase});
  }
  add_units(events, report, report.unlearned, false);
  if (!report.running) {
    events.emplace_back(End{.net = report.net, .epoch = report.epoch, .phase = report.next_phase});
  }
  return events;
}

std::string line_of(const Event& event) {
  return std::visit(
      [](const auto& e) {
        Writer writer;
        writer.field("event", word_of(e));
        writer.field("net", e.net);
        writer.field("epoch", e.epoch);
        fields(writer, e);
        return writer.text();
      },
      event);
}

std::optional<Event> event_in(std::string_view line) {
  const auto json = parse_json(line).value;
  if (!json.is_object() || !json.contains("event") || !json["event"].is_string()) return std::nullopt;
  const std::string& word = json["event"].get_ref<const std::string&>();
  if (word == "start") return event_from<Start>(json);
  if (word == "epoch") return event_from<Epoch>(json);
  if (word == "born" || word == "died") return event_from(json, UnitChange{.born = word == "born"});
  if (word == "lengths") return event_from<Lengths>(json);
  if (word == "rewind") return event_from<Rewind>(json);
  if (word == "end") return event_from<End>(json);
  return std::nullopt;
}

bool read(std::string_view text, const std::function<void(const Event&, std::string_view)>& use) {
  bool any = text.empty();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (const std::optional<Event> event = event_in(line)) {
      any = true;
      use(*event, line);
    }
  }
  return any;
}

}  // namespace journal

void Journal::epoch(const EpochReport& report) const {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
  const double seconds = std::round((earlier_ + passed.count()) * 1000) / 1000;
  std::string lines;
  for (const journal::Event& event : journal::events_of(report, seconds)) lines += line_of(event);
  file_.append(lines);
}

JournalRest truncate_journal(const std::string& path, const std::vector<std::size_t>& last_epoch) {
  if (!std::filesystem::exists(path)) return {};
  std::string kept;
  JournalRest rest;
  journal::read(read_file(path), [&](const journal::Event& event, std::string_view line) {
    const auto [net, epoch] = std::visit([](const auto& e) { return std::pair(e.net, e.epoch); }, event);
    if (net >= last_epoch.size() || epoch > last_epoch[net]) return;
    kept += line;
    kept += '\n';
    if (std::holds_alternative<journal::Start>(event)) ++rest.started;
    const auto* trained = std::get_if<journal::Epoch>(&event);
    if (trained != nullptr && trained->seconds > rest.seconds) rest.seconds = trained->seconds;
  });
  write_own_file(path, kept);
  return rest;
}

}  // namespace coppice
