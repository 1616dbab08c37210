#include "coppice/exports/c_parts.h"

namespace coppice {

namespace {

constexpr std::string_view dense = R"C(
/* y = weights x + bias */
static inline void $_dense(const float *weights, const float *bias, int units, int inputs, const float *x, float *y) {
  int i, j;
  for (j = 0; j < units; j++) {
    float sum = bias[j];
    for (i = 0; i < inputs; i++) sum += weights[i] * x[i];
    weights += inputs;
    y[j] = sum;
  }
}
)C";

constexpr std::string_view hyperbolic = R"C(
static inline float $_tanh(float y) {
  const float s = y * y;
  if (s < 0.0625f)
    return y * (1.0f + s * (-0.33333333f + s * (0.13333333f + s * (-0.053968254f + s * 0.021869489f))));
  if (y > 9.1f) return 1.0f;
  if (y < -9.1f) return -1.0f;
  return 1.0f - 2.0f / (@_EXPF(2.0f * y) + 1.0f);
}
)C";

/// What stands for y[j] after the nonlinearity.
std::string activated(Activation activation) {
  switch (activation) {
    case Activation::relu:
      return "y[j] > 0.0f ? y[j] : 0.0f";
    case Activation::leaky_relu:
      return "y[j] > 0.0f ? y[j] : 0.01f * y[j]";
    case Activation::abs:
      return "y[j] > 0.0f ? y[j] : -y[j]";
    case Activation::tanh:
      return "$_tanh(y[j])";
    case Activation::identity:
      return "y[j]";
  }
  return {};
}

void write_constants(CWriter& out, const LoweredModel& model, std::size_t n) {
  const LoweredNet& net = model.nets[n];
  for (std::size_t l = 0; l < net.layers.size(); ++l) {
    const DenseLayer& layer = net.layers[l];
    std::vector<float> weights;
    for (std::size_t j = 0; j < layer.units(); ++j)
      weights.insert(weights.end(), layer.weights.row(j).begin(), layer.weights.row(j).end());
    out.floats(fmt::format("weights_{}_{}", n + 1, l + 1), weights);
    out.floats(fmt::format("bias_{}_{}", n + 1, l + 1), layer.bias);
  }
}

void write_calls(CWriter& out, const LoweredModel& model, std::size_t n) {
  const LoweredNet& net = model.nets[n];
  const bool all = takes_all(model, net);
  std::string from = all ? "x" : "p";
  if (!all) out.line("  for (k = 0; k < {}; k++) p[k] = x[$_picked_{}[k]];", net.inputs.size(), n + 1);
  for (std::size_t l = 0; l < net.layers.size(); ++l) {
    const bool last = l + 1 == net.layers.size();
    const std::string to = last ? "z" : l % 2 == 0 ? "a" : "b";
    out.line("  $_dense($_weights_{0}_{1}, $_bias_{0}_{1}, {2}, {3}, {4}, {5});", n + 1, l + 1,
             net.layers[l].units(), net.layers[l].weights.cols(), from, to);
    if (!last) out.line("  $_activate({}, {});", to, net.layers[l].units());
    from = to;
  }
  out.line("  for (k = 0; k < {}; k++) y[k] += z[k];", model.outputs());
}

}  // namespace

void write_nets(CWriter& out, const LoweredModel& model) {
  const std::size_t units = widest_layer(model);
  out.code(dense);
  if (units > 0) {
    const Activation activation = hidden_activation(model);
    if (activation == Activation::tanh) out.code(hyperbolic);
    out.code("\nstatic inline void $_activate(float *y, int units) {\n  int j;\n");
    out.code("  for (j = 0; j < units; j++) y[j] = " + activated(activation) + ";\n}\n\n");
  }
  write_picked(out, model);
  for (std::size_t n = 0; n < model.nets.size(); ++n) write_constants(out, model, n);
  out.code("\nstatic inline void $_scores(const float *x, float *y) {\n");
  out.line("  float z[{}];", model.outputs());
  if (units > 0) out.line("  float a[{0}], b[{0}];", units);
  if (most_picked(model) > 0) out.line("  float p[{}];", most_picked(model));
  out.code("  int k;\n");
  out.line("  for (k = 0; k < {}; k++) y[k] = 0.0f;", model.outputs());
  if (units > 0) out.code("  (void)b;\n");
  for (std::size_t n = 0; n < model.nets.size(); ++n) write_calls(out, model, n);
  out.code("}\n");
}

}  // namespace coppice
