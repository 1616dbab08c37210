#include "coppice/exports/c_parts.h"

#include <string>

namespace coppice {

namespace {

constexpr std::string_view summing = R"C(
static inline int32_t $_sum(const int8_t *weights, int32_t sum, int inputs, const uint8_t *x) {
  int i;
  for (i = 0; i < inputs; i++) sum += (int32_t)weights[i] * (int32_t)x[i];
  return sum;
}
)C";

constexpr std::string_view wide_summing = R"C(
/* Over levels of the inputs, which are wide, or of units. */
static inline int32_t $_sum(const int8_t *weights, int32_t sum, int inputs, const uint16_t *wide, const uint8_t *x) {
  int i;
  if (wide)
    for (i = 0; i < inputs; i++) sum += (int32_t)weights[i] * (int32_t)wide[i];
  else
    for (i = 0; i < inputs; i++) sum += (int32_t)weights[i] * (int32_t)x[i];
  return sum;
}
)C";

/// How levels are declared where functions take them, and how they are given on.
struct LevelWords {
  std::string_view parameters;
  std::string_view arguments;
};

LevelWords level_words(bool wide) {
  if (wide) return {.parameters = "const uint16_t *wide, const uint8_t *x", .arguments = "wide, x"};
  return {.parameters = "const uint8_t *x", .arguments = "x"};
}

void write_last(CWriter& out, bool wide) {
  const LevelWords words = level_words(wide);
  out.code("\n/* A last layer adds its scores. */\n");
  out.code(
      "static inline void $_last(const int8_t *weights, const int32_t *bias, const float *scale, int units, "
      "int "
      "inputs,\n");
  out.line("                          {}, float *y) {{", words.parameters);
  out.code("  int j;\n  for (j = 0; j < units; j++) {\n");
  out.line("    y[j] += scale[j] * (float)$_sum(weights, bias[j], inputs, {});", words.arguments);
  out.code("    weights += inputs;\n  }\n}\n");
}

void write_hidden(CWriter& out, Activation activation, bool wide) {
  const LevelWords words = level_words(wide);
  const bool zeros = has_zeros(activation);
  out.code("\n/* The levels of a hidden layer: sum * multiplier / 2^shift, rounded. */\n");
  out.code(
      "static inline void $_hidden(const int8_t *weights, const int32_t *bias, const int32_t *multiplier,\n");
  out.line(
      "                           {}int shift, int units, int inputs, {},\n"
      "                           uint8_t *y) {{",
      zeros ? "const uint8_t *zero, " : "", words.parameters);
  out.code("  const int64_t half = (int64_t)1 << (shift - 1);\n  int j;\n  for (j = 0; j < units; j++) {\n");
  out.line("    {}int32_t sum = $_sum(weights, bias[j], inputs, {});",
           activation == Activation::abs ? "" : "const ", words.arguments);
  out.code("    int64_t level;\n");
  if (activation == Activation::abs) out.code("    if (sum < 0) sum = -sum;\n");
  out.code("    level = (int64_t)sum * multiplier[j];\n");
  if (activation == Activation::leaky_relu) out.code("    if (sum < 0) level /= 100;\n");
  if (zeros) out.code("    level += (int64_t)zero[j] << shift;\n");
  if (activation == Activation::tanh) out.line("    level += (int64_t){} << shift;", tanh_places / 2);
  out.code("    level += half;\n    level = level < 0 ? 0 : level >> shift;\n");
  const std::size_t last = activation == Activation::tanh ? tanh_places - 1 : 255;
  out.line("    if (level > {0}) level = {0};", last);
  out.line("    y[j] = {};",
           activation == Activation::tanh ? out.prefix() + "_tanh[level]" : "(uint8_t)level");
  out.code("    weights += inputs;\n  }\n}\n");
}

void write_layer(CWriter& out, const QuantizedLayer& layer, const std::string& place) {
  out.whole_numbers<std::int8_t>("int8_t", "weights_" + place, layer.weights);
  out.whole_numbers<std::int32_t>("int32_t", "bias_" + place, layer.bias);
  if (!layer.scale.empty()) {
    out.floats("scale_" + place, layer.scale);
  } else {
    out.whole_numbers<std::int32_t>("int32_t", "multiplier_" + place, layer.multiplier);
  }
  if (!layer.zero.empty()) out.whole_numbers<std::uint8_t>("uint8_t", "zero_" + place, layer.zero);
}

/// Which inputs are steep, and by how many bits.
void write_steep(CWriter& out, const std::vector<SteepInput>& steep) {
  std::vector<std::uint16_t> inputs;
  std::vector<std::uint8_t> shifts;
  for (const auto& [input, shift] : steep) {
    inputs.push_back(input);
    shifts.push_back(shift);
  }
  out.code("/* Inputs that hardly vary have large weights: their levels are made larger instead. */\n");
  out.whole_numbers<std::uint16_t>("uint16_t", "steep", inputs);
  out.whole_numbers<std::uint8_t>("uint8_t", "steep_bits", shifts);
}

void write_calls(CWriter& out, const QuantizedModel& model, std::size_t n) {
  const QuantizedNet& net = model.nets[n];
  const bool all = takes_all(model.lowered, model.lowered.nets[n]);
  const bool wide = level_input(model.lowered) == CInput::wide_level;
  std::string from = fmt::format("{}{}", all ? "x" : "p", wide ? ", NULL" : "");
  if (!all) out.line("  for (k = 0; k < {}; k++) p[k] = x[$_picked_{}[k]];", net.inputs.size(), n + 1);
  for (std::size_t l = 0; l < net.layers.size(); ++l) {
    const QuantizedLayer& layer = net.layers[l];
    const std::string place = fmt::format("{}_{}", n + 1, l + 1);
    if (l + 1 == net.layers.size()) {
      out.line("  $_last($_weights_{0}, $_bias_{0}, $_scale_{0}, {1}, {2}, {3}, y);", place, layer.units,
               layer.inputs, from);
      continue;
    }
    const std::string to = l % 2 == 0 ? "a" : "b";
    const std::string zero = layer.zero.empty() ? "" : fmt::format("{}_zero_{}, ", out.prefix(), place);
    out.line("  $_hidden($_weights_{0}, $_bias_{0}, $_multiplier_{0}, {1}{2}, {3}, {4}, {5}, {6});", place,
             zero, layer.shift, layer.units, layer.inputs, from, to);
    from = (wide ? "NULL, " : "") + to;
  }
}

}  // namespace

void write_int8_nets(CWriter& out, const QuantizedModel& model) {
  const std::size_t units = widest_layer(model.lowered);
  const CInput input = level_input(model.lowered);
  const bool wide = input == CInput::wide_level;
  out.code(wide ? wide_summing : summing);
  write_last(out, wide);
  if (units > 0 && model.activation == Activation::tanh) {
    const std::vector<std::uint8_t> table = tanh_table();
    out.whole_numbers<std::uint8_t>("uint8_t", "tanh", table);
  }
  if (units > 0) write_hidden(out, model.activation, wide);
  out.code("\n");
  write_picked(out, model.lowered);
  for (std::size_t n = 0; n < model.nets.size(); ++n) {
    for (std::size_t l = 0; l < model.nets[n].layers.size(); ++l)
      write_layer(out, model.nets[n].layers[l], fmt::format("{}_{}", n + 1, l + 1));
  }
  if (!model.steep.empty()) write_steep(out, model.steep);
  out.line("\nstatic inline void $_scores({}{} *x, float *y) {{", model.steep.empty() ? "const " : "",
           c_input_type(input));
  if (units > 0) out.line("  uint8_t a[{0}], b[{0}];", units);
  if (most_picked(model.lowered) > 0)
    out.line("  {} p[{}];", c_input_type(input), most_picked(model.lowered));
  out.code("  int k;\n");
  out.line("  for (k = 0; k < {}; k++) y[k] = 0.0f;", model.lowered.outputs());
  if (units > 0) out.code("  (void)b;\n");
  if (!model.steep.empty())
    out.line("  for (k = 0; k < {}; k++) x[$_steep[k]] = (uint16_t)(x[$_steep[k]] << $_steep_bits[k]);",
             model.steep.size());
  for (std::size_t n = 0; n < model.nets.size(); ++n) write_calls(out, model, n);
  out.code("}\n");
}

}  // namespace coppice
