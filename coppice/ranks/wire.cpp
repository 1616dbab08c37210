#include "coppice/ranks/wire.h"

#include "coppice/core/bytes.h"

#include <array>

namespace coppice {

namespace {

constexpr const char* name = "a message between ranks";

void put_text(ByteWriter& to, std::string_view text) {
  to.put<std::uint64_t>(text.size());
  to.bytes() += text;
}

std::string get_text(ByteReader& from) {
  const std::vector<char> text = from.get_vector<char>();
  return {text.begin(), text.end()};
}

void put_units(ByteWriter& to, const std::vector<UnitEvent>& units) {
  to.put<std::uint64_t>(units.size());
  for (const UnitEvent& unit : units) {
    to.put(unit.unit);
    to.put<std::uint64_t>(unit.layer);
  }
}

std::vector<UnitEvent> get_units(ByteReader& from) {
  const auto count = from.get<std::uint64_t>();
  std::vector<UnitEvent> units;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto unit = from.get<std::uint32_t>();
    units.push_back({.unit = unit, .layer = from.get<std::uint64_t>()});
  }
  return units;
}

void put_lengths(ByteWriter& to, const std::vector<UnitLengths>& lengths) {
  to.put<std::uint64_t>(lengths.size());
  for (const UnitLengths& unit : lengths) {
    to.put(unit.unit);
    to.put<std::uint64_t>(unit.layer);
    to.put(unit.fan_in);
    to.put(unit.fan_out);
  }
}

std::vector<UnitLengths> get_lengths(ByteReader& from) {
  const auto count = from.get<std::uint64_t>();
  std::vector<UnitLengths> lengths;
  for (std::uint64_t i = 0; i < count; ++i) {
    UnitLengths unit;
    unit.unit = from.get<std::uint32_t>();
    unit.layer = from.get<std::uint64_t>();
    unit.fan_in = from.get<double>();
    unit.fan_out = from.get<double>();
    lengths.push_back(unit);
  }
  return lengths;
}

void put_layer_steps(ByteWriter& to, const std::vector<LayerSteps>& layers) {
  to.put<std::uint64_t>(layers.size());
  for (const LayerSteps& layer : layers) {
    for (const std::size_t number : {layer.unit_steps, layer.flips, layer.held})
      to.put<std::uint64_t>(number);
    to.put(layer.mean_angle);
  }
}

std::vector<LayerSteps> get_layer_steps(ByteReader& from) {
  const auto count = from.get<std::uint64_t>();
  std::vector<LayerSteps> layers;
  for (std::uint64_t i = 0; i < count; ++i) {
    LayerSteps& layer = layers.emplace_back();
    for (std::size_t* number : {&layer.unit_steps, &layer.flips, &layer.held})
      *number = from.get<std::uint64_t>();
    layer.mean_angle = from.get<double>();
  }
  return layers;
}

void put_optional(ByteWriter& to, const std::optional<std::size_t>& value) {
  to.put(value.has_value());
  to.put<std::uint64_t>(value.value_or(0));
}

std::optional<std::size_t> get_optional(ByteReader& from) {
  const bool has = from.get<bool>();
  const auto value = from.get<std::uint64_t>();
  return has ? std::optional<std::size_t>(value) : std::nullopt;
}

/// The name of a step lives as long as the program: one of those that there are.
std::string_view step_name_like(const std::string& text) {
  for (const std::string_view known : std::to_array<std::string_view>({"angle", "angular_step", "step"})) {
    if (known == text) return known;
  }
  return "step";
}

void put_report(ByteWriter& to, const EpochReport& report) {
  for (const std::size_t number : {report.net, report.epoch, report.steps}) to.put<std::uint64_t>(number);
  to.put(report.phase);
  for (const double number : {report.train_loss, report.validation_error, report.criterion, report.step})
    to.put(number);
  put_text(to, report.step_name);
  to.put(report.lambda);
  to.put(report.hidden_units);
  put_units(to, report.born);
  put_units(to, report.died);
  put_lengths(to, report.lengths);
  put_layer_steps(to, report.layer_steps);
  put_optional(to, report.rewound_to);
  to.put(report.next_phase);
  to.put(report.running);
  for (const double number : {report.kept_error, report.lowest, report.waited, report.patience, report.to_go})
    to.put(number);
  put_units(to, report.unlearned);
}

EpochReport get_report(ByteReader& from) {
  EpochReport report;
  for (std::size_t* number : {&report.net, &report.epoch, &report.steps}) *number = from.get<std::uint64_t>();
  report.phase = from.get<Phase>();
  for (double* number : {&report.train_loss, &report.validation_error, &report.criterion, &report.step})
    *number = from.get<double>();
  report.step_name = step_name_like(get_text(from));
  report.lambda = from.get<double>();
  report.hidden_units = from.get_vector<std::size_t>();
  report.born = get_units(from);
  report.died = get_units(from);
  report.lengths = get_lengths(from);
  report.layer_steps = get_layer_steps(from);
  report.rewound_to = get_optional(from);
  report.next_phase = from.get<Phase>();
  report.running = from.get<bool>();
  for (double* number : {&report.kept_error, &report.lowest, &report.waited, &report.patience, &report.to_go})
    *number = from.get<double>();
  report.unlearned = get_units(from);
  return report;
}

void put_network(ByteWriter& to, const Network<float>& network) {
  to.put(network.activation);
  to.put(network.norm);
  to.put(network.output_capnorm);
  to.put(network.kinks);
  to.put(network.output_scale);
  to.put(network.offset);
  to.put<std::uint64_t>(network.layers.size());
  for (const Layer<float>& layer : network.layers) {
    to.put(layer.weights);
    to.put(layer.units);
    to.put(layer.affine);
    to.put(layer.kinks);
  }
}

Network<float> get_network(ByteReader& from) {
  Network<float> network;
  network.activation = from.get<Activation>();
  network.norm = from.get<Norm>();
  network.output_capnorm = from.get<bool>();
  network.kinks = from.get<double>();
  network.output_scale = from.get<float>();
  network.offset = from.get_vector<float>();
  const auto layers = from.get<std::uint64_t>();
  for (std::uint64_t l = 0; l < layers; ++l) {
    Layer<float>& layer = network.layers.emplace_back();
    layer.weights = from.get_matrix<float>();
    layer.units = from.get_vector<std::uint32_t>();
    layer.affine = from.get_matrix<float>();
    layer.kinks = from.get_vector<float>();
  }
  return network;
}

void put_planned(ByteWriter& to, const PlannedNet& planned) {
  to.put(planned.lambda);
  to.put(planned.seed);
  to.put<std::uint64_t>(planned.beginning);
  put_optional(to, planned.warm_from);
  to.put(planned.searched);
  to.put<std::uint64_t>(planned.variant);
  to.put<std::uint64_t>(planned.fold);
  to.put(planned.fixed_size);
  to.put(planned.columns);
  to.put(planned.refit);
  to.put(planned.taught);
}

PlannedNet get_planned(ByteReader& from) {
  PlannedNet planned;
  planned.lambda = from.get<double>();
  planned.seed = from.get<std::uint64_t>();
  planned.beginning = from.get<std::uint64_t>();
  planned.warm_from = get_optional(from);
  planned.searched = from.get<bool>();
  planned.variant = from.get<std::uint64_t>();
  planned.fold = from.get<std::uint64_t>();
  planned.fixed_size = from.get_vector<std::size_t>();
  planned.columns = from.get_vector<std::uint32_t>();
  planned.refit = from.get<bool>();
  planned.taught = from.get<bool>();
  return planned;
}

void put_trial(ByteWriter& to, const Trial& trial) {
  to.put(trial.hidden);
  to.put(trial.optimizer);
  to.put(trial.step);
  to.put(trial.norm);
  to.put(trial.seed);
}

Trial get_trial(ByteReader& from) {
  Trial trial;
  trial.hidden = from.get_vector<std::size_t>();
  trial.optimizer = from.get<OptimizerKind>();
  trial.step = from.get<double>();
  trial.norm = from.get<Norm>();
  trial.seed = from.get<std::uint64_t>();
  return trial;
}

}  // namespace

std::string hello_bytes(const Hello& hello) {
  ByteWriter to;
  for (const std::string* text : {&hello.version, &hello.kernels, &hello.host, &hello.gpu})
    put_text(to, *text);
  to.put(hello.gpus);
  to.put(hello.memory);
  to.put(hello.processors);
  to.put(hello.online);
  to.put<std::uint64_t>(hello.arguments.size());
  for (const std::string& argument : hello.arguments) put_text(to, argument);
  return to.bytes();
}

Hello read_hello(std::string_view bytes) {
  ByteReader from(bytes, name);
  Hello hello;
  for (std::string* text : {&hello.version, &hello.kernels, &hello.host, &hello.gpu}) *text = get_text(from);
  hello.gpus = from.get<std::uint64_t>();
  hello.memory = from.get<std::uint64_t>();
  hello.processors = from.get<std::uint64_t>();
  hello.online = from.get<std::uint64_t>();
  const auto arguments = from.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < arguments; ++i) hello.arguments.push_back(get_text(from));
  return hello;
}

std::string file_bytes(const FilePart& part) {
  ByteWriter to;
  put_text(to, part.name);
  to.bytes() += part.bytes;
  return to.bytes();
}

FilePart read_file_part(std::string_view bytes) {
  ByteReader from(bytes, name);
  FilePart part;
  part.name = get_text(from);
  part.bytes = bytes.substr(bytes.size() - from.left());
  return part;
}

std::string task_bytes(const std::vector<Assignment>& tasks) {
  ByteWriter to;
  to.put<std::uint64_t>(tasks.size());
  for (const Assignment& task : tasks) {
    for (const std::size_t number : {task.net, task.together, task.threads, task.checkpoint_every})
      to.put<std::uint64_t>(number);
    put_planned(to, task.planned);
    to.put(task.ancestor.has_value());
    if (task.ancestor) {
      to.put(task.ancestor->lambda);
      put_network(to, task.ancestor->network);
    }
    put_text(to, task.teacher);
    put_text(to, task.checkpoint);
  }
  return to.bytes();
}

std::vector<Assignment> read_task(std::string_view bytes) {
  ByteReader from(bytes, name);
  const auto count = from.get<std::uint64_t>();
  std::vector<Assignment> tasks;
  for (std::uint64_t i = 0; i < count; ++i) {
    Assignment& task = tasks.emplace_back();
    for (std::size_t* number : {&task.net, &task.together, &task.threads, &task.checkpoint_every})
      *number = from.get<std::uint64_t>();
    task.planned = get_planned(from);
    if (from.get<bool>()) {
      task.ancestor.emplace();
      task.ancestor->lambda = from.get<double>();
      task.ancestor->network = get_network(from);
    }
    task.teacher = get_text(from);
    task.checkpoint = get_text(from);
  }
  return tasks;
}

std::string trial_share_bytes(const TrialShare& share) {
  ByteWriter to;
  to.put<std::uint64_t>(share.threads);
  to.put<std::uint64_t>(share.trials.size());
  for (std::size_t i = 0; i < share.trials.size(); ++i) {
    to.put<std::uint64_t>(share.indices[i]);
    put_trial(to, share.trials[i]);
  }
  return to.bytes();
}

TrialShare read_trial_share(std::string_view bytes) {
  ByteReader from(bytes, name);
  TrialShare share;
  share.threads = from.get<std::uint64_t>();
  const auto count = from.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < count; ++i) {
    share.indices.push_back(from.get<std::uint64_t>());
    share.trials.push_back(get_trial(from));
  }
  return share;
}

std::string result_bytes(std::size_t index, const TrialResult& result) {
  ByteWriter to;
  to.put<std::uint64_t>(index);
  put_trial(to, result.trial);
  to.put<std::uint64_t>(result.parameters);
  to.put<std::uint64_t>(result.epochs);
  for (const double number : {result.validation_error, result.criterion, result.train_loss}) to.put(number);
  to.put(result.test_error.has_value());
  to.put(result.test_error.value_or(0));
  put_text(to, result.phase);
  return to.bytes();
}

std::pair<std::size_t, TrialResult> read_result(std::string_view bytes) {
  ByteReader from(bytes, name);
  const std::size_t index = from.get<std::uint64_t>();
  TrialResult result;
  result.trial = get_trial(from);
  result.parameters = from.get<std::uint64_t>();
  result.epochs = from.get<std::uint64_t>();
  for (double* number : {&result.validation_error, &result.criterion, &result.train_loss})
    *number = from.get<double>();
  const bool tested = from.get<bool>();
  const auto test_error = from.get<double>();
  if (tested) result.test_error = test_error;
  result.phase = get_text(from);
  return {index, std::move(result)};
}

std::string epoch_bytes(const TrainedEpoch& epoch) {
  ByteWriter to;
  put_report(to, epoch.report);
  to.bytes() += epoch.checkpoint;
  return to.bytes();
}

TrainedEpoch read_epoch(std::string_view bytes) {
  ByteReader from(bytes, name);
  TrainedEpoch epoch;
  epoch.report = get_report(from);
  epoch.checkpoint = bytes.substr(bytes.size() - from.left());
  return epoch;
}

std::string stopped_bytes(std::size_t net, std::string_view checkpoint) {
  ByteWriter to;
  to.put<std::uint64_t>(net);
  to.bytes() += checkpoint;
  return to.bytes();
}

std::pair<std::size_t, std::string> read_stopped(std::string_view bytes) {
  ByteReader from(bytes, name);
  const std::size_t net = from.get<std::uint64_t>();
  return {net, std::string(bytes.substr(bytes.size() - from.left()))};
}

}  // namespace coppice
