#include "coppice/run/checkpoint.h"

#include "coppice/core/bytes.h"
#include "coppice/core/fail.h"
#include "coppice/core/file.h"

namespace coppice {

namespace {

constexpr std::string_view magic = "COPPICE-CHECKPOINT-4\n";

void put_state(ByteWriter& to, const NetState& state) {
  to.put<std::uint64_t>(state.epoch);
  to.put(state.train_loss);
  to.put(state.validation_error);
  to.put(state.criterion);
  to.put<std::uint64_t>(state.network.layers.size());
  for (std::size_t l = 0; l < state.network.layers.size(); ++l) {
    to.put(state.network.layers[l].weights);
    to.put(state.network.layers[l].units);
    to.put(state.network.layers[l].affine);
    if (!state.network.layers[l].kinks.empty()) to.put(state.network.layers[l].kinks);
    const OptimizerState::LayerState& numbers = state.optimizer.layers[l];
    to.put(numbers.average);
    to.put(numbers.capacity);
    to.put(numbers.mean_capacity);
    to.put(numbers.mean);
    to.put(numbers.square);
    to.put(numbers.affine_mean);
    to.put(numbers.affine_square);
    if (!numbers.kink_average.empty()) to.put(numbers.kink_average);
    if (state.optimizer.seen.empty()) continue;
    for (const SeenUnit& unit : state.optimizer.seen[l]) {
      to.put(unit.mean);
      to.put(unit.variance);
      to.put(unit.filled);
      to.put(unit.slope);
      to.put(unit.along);
    }
  }
  to.put(state.optimizer.largest_average);
  to.put(state.optimizer.largest_capacity);
  if (!state.optimizer.output_scale) return;
  to.put(state.network.output_scale);
  to.put(state.optimizer.output_scale->average);
  to.put(state.optimizer.output_scale->capacity);
}

/// A matrix of that shape, or none if there was none before.
Matrix<float> get_matrix_like(ByteReader& from, const Matrix<float>& before, std::size_t rows,
                              std::size_t cols) {
  Matrix<float> matrix = from.get_matrix<float>();
  const bool fits = before.empty() ? matrix.empty() : matrix.rows() == rows && matrix.cols() == cols;
  if (!fits) from.truncated();
  return matrix;
}

/// `state` holds the net as it starts: settings and class offsets, which a run never changes, come from
/// there.
void get_state(ByteReader& from, NetState& state) {
  state.epoch = from.get<std::uint64_t>();
  state.train_loss = from.get<double>();
  state.validation_error = from.get<double>();
  state.criterion = from.get<double>();
  if (from.get<std::uint64_t>() != state.network.layers.size()) from.truncated();
  std::size_t below = state.network.inputs();
  for (std::size_t l = 0; l < state.network.layers.size(); ++l) {
    Layer<float>& layer = state.network.layers[l];
    layer.weights = from.get_matrix<float>();
    layer.units = from.get_vector<std::uint32_t>();
    layer.affine = get_matrix_like(from, layer.affine, layer.weights.rows(), layer.affine.cols());
    if (!layer.kinks.empty()) {
      layer.kinks = from.get_vector<float>();
      if (layer.kinks.size() != layer.units.size()) from.truncated();
    }
    OptimizerState::LayerState& numbers = state.optimizer.layers[l];
    const bool means = !numbers.mean_capacity.empty();
    numbers.average = from.get_vector<double>();
    numbers.capacity = from.get_vector<double>();
    numbers.mean_capacity = from.get_vector<double>();
    const std::size_t units = layer.weights.rows();
    const std::size_t affine = layer.affine.cols();
    numbers.mean = get_matrix_like(from, numbers.mean, units, layer.weights.cols());
    numbers.square = get_matrix_like(from, numbers.square, units, layer.weights.cols());
    numbers.affine_mean = get_matrix_like(from, numbers.affine_mean, units, affine);
    numbers.affine_square = get_matrix_like(from, numbers.affine_square, units, affine);
    if (!numbers.kink_average.empty()) {
      numbers.kink_average = from.get_vector<double>();
      if (numbers.kink_average.size() != units) from.truncated();
    }
    if (layer.weights.cols() != below || units == 0 || layer.units.size() != units ||
        numbers.average.size() != units || numbers.capacity.size() != units ||
        numbers.mean_capacity.size() != (means ? units : 0)) {
      from.truncated();
    }
    below = units;
    if (state.optimizer.seen.empty()) continue;
    state.optimizer.seen[l].resize(units);
    for (SeenUnit& unit : state.optimizer.seen[l]) {
      unit.mean = from.get<double>();
      unit.variance = from.get<double>();
      unit.filled = from.get<double>();
      unit.slope = from.get<double>();
      unit.along = from.get<double>();
    }
  }
  state.optimizer.largest_average = from.get<double>();
  state.optimizer.largest_capacity = from.get<double>();
  if (!state.optimizer.output_scale) return;
  state.network.output_scale = from.get<float>();
  state.optimizer.output_scale->average = from.get<double>();
  state.optimizer.output_scale->capacity = from.get<double>();
}

}  // namespace

std::string checkpoint_bytes(const NetRun& run, std::uint32_t settings) {
  ByteWriter body;
  body.put(settings);
  body.put<std::uint64_t>(run.id);
  body.put(run.lambda);
  body.put(run.seed);
  body.put<std::uint64_t>(run.epoch);
  body.put<std::uint64_t>(run.steps);
  body.put(run.next_unit);
  body.put(run.stopped);
  const Protocol::State protocol = run.protocol.state();
  body.put(protocol.phase);
  body.put(protocol.step);
  body.put(protocol.lowest);
  body.put(protocol.kept_error);
  body.put(protocol.softened);
  body.put(protocol.average);
  body.put(protocol.waited);
  body.put(protocol.phase_epochs);
  body.put(protocol.changed);
  put_state(body, run.current);
  put_state(body, run.kept);
  ByteWriter file;
  file.bytes() += magic;
  file.put(checksum(body.bytes()));
  file.bytes() += body.bytes();
  return std::move(file.bytes());
}

void restore_checkpoint(NetRun& run, std::string_view bytes, const std::string& name,
                        std::uint32_t settings) {
  ByteReader from(bytes.substr(std::min(bytes.size(), magic.size())), name);
  if (!bytes.starts_with(magic)) fail("{}: is not a checkpoint of this version of coppice", name);
  const auto sum = from.get<std::uint32_t>();
  if (sum != checksum(bytes.substr(magic.size() + sizeof sum))) from.truncated();
  if (from.get<std::uint32_t>() != settings) {
    fail(
        "{}: was trained with other settings than config.json has now; restore config.json or start a new "
        "run",
        name);
  }
  const bool same_net = from.get<std::uint64_t>() == run.id && from.get<double>() == run.lambda &&
                        from.get<std::uint64_t>() == run.seed;
  if (!same_net) fail("{}: is the checkpoint of another net; remove it or name the right run", name);
  run.epoch = from.get<std::uint64_t>();
  run.steps = from.get<std::uint64_t>();
  run.next_unit = from.get<std::uint32_t>();
  run.stopped = from.get<bool>();
  Protocol::State protocol;
  protocol.phase = from.get<Phase>();
  if (protocol.phase > Phase::failed) from.truncated();
  protocol.step = from.get<double>();
  protocol.lowest = from.get<double>();
  protocol.kept_error = from.get<double>();
  protocol.softened = from.get<std::uint64_t>();
  protocol.average = from.get<double>();
  protocol.waited = from.get<double>();
  protocol.phase_epochs = from.get<double>();
  protocol.changed = from.get<bool>();
  run.protocol.restore(protocol);
  get_state(from, run.current);
  get_state(from, run.kept);
  if (from.left() != 0) from.truncated();
}

}  // namespace coppice
