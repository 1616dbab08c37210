#include "experiments/costs.h"

#include "coppice/core/fail.h"
#include "coppice/core/random.h"
#include "coppice/core/spread.h"
#include "coppice/core/text.h"
#include "coppice/training/optimizer.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

const NetworkShape shape{.inputs = 784, .outputs = 10, .hidden = {193, 36}};  // the paper's analysed net

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Too small to change the weights in a way that would change the work.
StepSizes tiny_steps(const Method& method) {
  return {.angular = 1e-6, .radial = 1e-6, .shrinkage = method.shrinks ? 1e-9 : 0, .by_angle = true};
}

TrainingOptions options_for(const Method& method) {
  TrainingOptions options;
  options.optimizer = method.kind;
  return options;
}

Workspace<float> random_gradients(const Network<float>& network) {
  Workspace<float> workspace;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const Matrix<float>& weights = network.layers[l].weights;
    Matrix<float>& gradient = workspace.layers.emplace_back().weight_gradient;
    gradient = Matrix<float>(weights.rows(), weights.cols());
    Random random(2, Purpose::initial_weights, static_cast<std::uint32_t>(l));
    for (std::size_t j = 0; j < gradient.rows(); ++j)
      for (float& value : gradient.row(j)) value = static_cast<float>(1e-3 * random.normal());
  }
  return workspace;
}

/// Remembers when the first net's epochs ended.
class EpochClock final : public Observer {
 public:
  void on_epoch(const EpochReport& epoch) override {
    if (epoch.net == 0) moments.push_back(std::chrono::steady_clock::now());
  }
  std::vector<std::chrono::steady_clock::time_point> moments;
};

/// Images of noise, with labels.
Table noise(Matrix<float>& values) {
  Random random(3, Purpose::initial_weights);
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < values.rows(); ++i) {
    for (float& value : values.row(i)) value = static_cast<float>(random.normal());
    labels.push_back(static_cast<std::int32_t>(random.below(shape.outputs)));
  }
  Table table = Table::matrix(std::as_const(values).view());
  std::vector<std::string> classes;
  for (std::size_t k = 0; k < shape.outputs; ++k) classes.push_back(std::to_string(k));
  table.add_codes("label", labels, classes);
  return table;
}

}  // namespace

Operations count_operations(std::string_view formula) {
  Operations operations;
  operations.multiplications = static_cast<std::size_t>(std::ranges::count(formula, '*'));
  operations.divisions = static_cast<std::size_t>(std::ranges::count(formula, '/'));
  for (std::size_t at = formula.find("sqrt"); at != std::string_view::npos; at = formula.find("sqrt", at + 1))
    ++operations.roots;
  return operations;
}

std::string operations_text(const Operations& operations) {
  std::vector<std::string> parts;
  const auto add = [&](std::size_t count, const char* name) {
    if (count > 0) parts.push_back(fmt::format("{} {}{}", count, name, count > 1 ? "s" : ""));
  };
  add(operations.multiplications, "multiplication");
  add(operations.divisions, "division");
  add(operations.roots, "square root");
  return joined(parts, ", ");
}

std::vector<Method> all_methods() {
  const std::string dots = "gw += g*w; gg += g*g; ";
  const std::string all_dots = dots + "ww += w*w; ";
  const std::string shrink = "; ww += w*w; w = k*w";
  const std::string momentum = "m = keep*m + rate*g; w = w - step*m";
  const std::string nesterov = "m = keep*m + rate*g; w = w - step*m - part*g";
  const std::string rmsprop = "s = keep*s + rate*g*g; w = w - step*g/(sqrt(s) + eps)";
  const std::string rmsprop_here = "s = keep*s + rate*g*g; w = w - step*g/(sqrt(filled*s) + eps)";
  const std::string turn = "m = keep*m + p*w + q*g; mm += m*m; w = a*w + b*m; m = c*w + d*m";
  const std::string none = "nothing";
  const std::string per_unit = "2 numbers per unit";
  return {
      {"SGD", OptimizerKind::sgd, false, "w = w - step*g", "w = a*w + b*g", Operations{1, 0, 0}, true, none},
      {"SGD with shrinkage", OptimizerKind::sgd, true, "w = w - step*g" + shrink, all_dots + "w = a*w + b*g",
       Operations{3, 0, 0}, true, none},
      {"AdaRad", OptimizerKind::adarad, false, dots + "w = a*w + b*g", all_dots + "w = a*w + b*g",
       Operations{4, 0, 0}, true, per_unit},
      {"AdaRad with shrinkage", OptimizerKind::adarad, true, dots + "w = a*w + b*g",
       all_dots + "w = a*w + b*g", Operations{4, 0, 0}, true, per_unit},
      {"RMSprop", OptimizerKind::rmsprop, false, rmsprop, rmsprop_here, Operations{4, 1, 1}, true,
       "1 number per weight"},
      {"RMSprop with shrinkage", OptimizerKind::rmsprop, true, rmsprop + shrink, "", Operations{6, 1, 1},
       false, "1 number per weight"},
      {"momentum", OptimizerKind::momentum, false, momentum, nesterov, std::nullopt, true,
       "1 number per weight"},
      {"momentum with shrinkage", OptimizerKind::momentum, true, momentum + shrink, nesterov + shrink,
       std::nullopt, true, "1 number per weight"},
      {"Nesterov momentum", OptimizerKind::nesterov, false, nesterov, nesterov, std::nullopt, true,
       "1 number per weight"},
      {"Adam", OptimizerKind::adam, false,
       "m = keep*m + rate*g; s = hold*s + share*g*g; w = w - step*m/(sqrt(s) + eps)",
       "m = keep*m + rate*g; s = hold*s + share*g*g; w = w - step*m/(sqrt(filled*s) + eps)", std::nullopt,
       true, "2 numbers per weight"},
      {"AdaRad-M with shrinkage", OptimizerKind::adarad_m, true, dots + turn, all_dots + turn, std::nullopt,
       true, "1 number per weight, 3 per unit"}};
}

double measure_step(const Method& method, double seconds) {
  ThreadPool pool(1);
  Network<float> network = make_network<float>(shape, 1);
  Workspace<float> workspace = random_gradients(network);
  const auto optimizer = make_optimizer(options_for(method));
  OptimizerState state = optimizer->start(network);
  DeadUnits dead;
  const StepSizes sizes = tiny_steps(method);
  const auto step = [&] {
    if (!optimizer->step(pool, network, workspace, sizes, state, dead))
      fail("a step met a number that is not finite");
  };
  for (int i = 0; i < 5; ++i) step();
  std::vector<double> times;
  const auto start = std::chrono::steady_clock::now();
  while (seconds_since(start) < seconds || times.size() < 5) {
    const auto before = std::chrono::steady_clock::now();
    step();
    times.push_back(seconds_since(before));
  }
  // The fastest: a processor that changes its clock, or has other work, only ever adds.
  return *std::ranges::min_element(times) / static_cast<double>(network.parameters());
}

std::optional<double> measure_gpu_step(const Method& method) {
  constexpr std::size_t rows = 20'000;
  constexpr std::size_t nets = 10;
  constexpr std::size_t warm_up = 3;
  Options options;
  options.target = std::string("label");  // gcc 12 takes a plain literal for an overlap
  options.device = Device::cuda;
  options.optimizer = method.kind;
  options.fixed_size = shape.hidden;
  options.seeds = nets;
  options.max_epochs = 20;
  options.patience = 1e9;
  options.batch_size = 1000;
  options.validation = std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  if (method.shrinks) options.lambdas = {1e-6};
  if (turns_fan_ins(method.kind)) {
    options.angular_step = 1e-3;
    options.radial_step = 1e-6;
  } else {
    options.step = 1e-6;
  }
  Matrix<float> values = Matrix<float>::packed(rows, shape.inputs);
  EpochClock clock;
  Result result;
  try {
    result = train(noise(values), options, &clock);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::unsupported) return std::nullopt;
    throw;
  }
  std::vector<double> times;
  for (std::size_t i = warm_up; i + 2 < clock.moments.size(); ++i)
    times.push_back(std::chrono::duration<double>(clock.moments[i + 1] - clock.moments[i]).count());
  const double steps = static_cast<double>(rows) / static_cast<double>(*options.batch_size) * nets;
  return spread_of(times).median / steps / static_cast<double>(result.nets.front().parameters);
}

}  // namespace coppice::experiments
