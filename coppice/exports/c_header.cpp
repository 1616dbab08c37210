#include "coppice/exports/c_header.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/exports/c_names.h"
#include "coppice/exports/c_parts.h"
#include "coppice/exports/c_self_test.h"
#include "coppice/exports/int8_loss.h"
#include "coppice/exports/unit_inputs.h"

#include <cmath>
#include <limits>

namespace coppice {

namespace {

constexpr std::string_view includes = R"C(
#ifndef @_H
#define @_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* exp() of numbers up to 88.7, to some 1e-7 of it, in single precision alone: small where that of libm is not. */
static inline float $_exp(float v) {
  uint32_t bits;
  float r, half;
  int n;
  if (!(v >= -86.0f)) return v < -86.0f ? 0.0f : v;
  n = (int)(v * 1.44269504f + (v < 0.0f ? -0.5f : 0.5f));
  r = v - (float)n * 0.693359375f + (float)n * 2.12194440e-4f;
  bits = (uint32_t)(n + 126) << 23; /* half of 2^n */
  memcpy(&half, &bits, sizeof(half));
  r = 1.0f + r * (1.0f + r * (0.5f + r * (0.16666667f + r * (0.041666667f + r * (0.0083333333f + r * 0.0013888889f)))));
  return r * half * 2.0f;
}

/* Another function for exp() may be named before this header is included. */
#ifndef @_EXPF
#define @_EXPF $_exp
#endif
)C";

constexpr std::string_view predicting = R"C(
/* row: @_CELLS numbers, NAN where one is missing; out: @_OUTPUTS numbers. */
static inline int $_predict(const float *row, float *out) {
)C";

/// What uint16_t counts.
constexpr std::size_t most_inputs = std::numeric_limits<std::uint16_t>::max();

void require_fit(const LoweredModel& model, const std::string& name) {
  if (!is_c_name(name)) {
    fail_option("name", "`name` {}: names of C are letters, digits and underscores, and begin with a letter",
                cited(name));
  }
  if (model.inputs.size() > most_inputs) {
    fail(
        "a C header counts up to {} network inputs, and this model has {}; export it to json, or train with "
        "fewer columns",
        most_inputs, model.inputs.size());
  }
}

std::string sizes_text(const LoweredModel& model) {
  std::vector<std::string> nets;
  for (const LoweredNet& net : model.nets) {
    std::vector<std::size_t> sizes{net.inputs.size()};
    for (const DenseLayer& layer : net.layers) sizes.push_back(layer.units());
    nets.push_back(size_text(sizes));
  }
  return listed(nets, 10);
}

/// The comment that the file begins with.
std::string first_comment(const LoweredModel& model, const CHeader& header, const std::string& name,
                          std::string_view loss) {
  CWriter out(name);
  out.line("/* Predicts {}: made by coppice {}.", c_comment(cited(model.target.name)),
           c_comment(model.origin.version));
  out.line(" *");
  out.line(" * flash: {} bytes of constants, and the code", header.constant_bytes);
  out.line(" * RAM: {} bytes on the stack while a row is predicted, none else", header.stack_bytes);
  out.line(" * {} multiplications inside layers per row; net{}: {}", header.multiplications,
           model.nets.size() == 1 ? "" : "s, whose scores are averaged", sizes_text(model));
  if (std::isfinite(model.origin.validation_error))
    out.line(" * validation error of the model: {:.4g}", model.origin.validation_error);
  out.code(loss);
  out.line(" *");
  out.line(model.task == Task::classification
               ? " * int $_predict(const float *row, float *out) returns the class, an index of $_classes, or"
               : " * int $_predict(const float *row, float *out) returns 0, or");
  out.line(
      " * -1 - the number of a cell that is infinite. C99, or C++; no memory is allocated. Include it in one "
      "source: its");
  out.line(
      " * constants are static. With @_SELF_TEST defined, $_self_test() returns 0 if rows that are known "
      "give");
  out.line(" * what they gave, else the first that does not. */");
  return out.text();
}

/// What 8 bits cost, in a line of the comment.
std::string loss_text(Task task, const Int8Loss& loss) {
  const std::string rows = fmt::format("on the {} rows it was calibrated with", loss.rows);
  const std::string changed =
      task == Task::classification
          ? fmt::format("{} of the answers are others", share_text(loss.changed))
          : fmt::format("values change by {:.3g} of the target's deviation", loss.changed);
  std::string text = fmt::format(" * in 8 bits, {} {}\n", rows, changed);
  if (loss.error)
    text +=
        fmt::format(" * error there: {:.6g}, of the model itself {:.6g}\n", *loss.error, *loss.error_before);
  return text;
}

void write_predict(CWriter& out, const LoweredModel& model, CInput input) {
  write_answer(out, model);
  out.code(predicting);
  out.line("  {} x[@_INPUTS];", c_input_type(input));
  out.code("  const int wrong = $_inputs(row, x);\n  if (wrong != 0) return wrong;\n");
  out.code("  $_scores(x, out);\n  return $_answer(out);\n}\n");
}

}  // namespace

void write_beginning(CWriter& out, const LoweredModel& model, CInput input) {
  out.code(includes);
  write_names(out, model);
  write_text_functions(out, model);
  write_inputs(out, model, input);
}

bool fits_c(const LoweredModel& model) {
  return model.inputs.size() <= most_inputs && fits_sums(model.inputs.size(), top_level);
}

CHeader c_header(const Model& model, const std::string& name) {
  const LoweredModel plain = lower(model);
  require_fit(plain, name);
  LoweredModel folded = plain;
  fold_unit_inputs(folded);
  CWriter out(name);
  write_beginning(out, folded, CInput::real);
  write_nets(out, folded);
  write_predict(out, folded, CInput::real);
  CHeader header{.text = {},
                 .constant_bytes = out.constant_bytes(),
                 .stack_bytes = stack_bytes(folded, CInput::real),
                 .multiplications = multiplications_of(folded)};
  write_self_test(out, self_test_of(model, plain));
  header.text = first_comment(folded, header, name, "") + out.text() + "\n#endif\n";
  return header;
}

CHeader c_int8_header(const Model& model, const std::string& name, const Table& calibration) {
  const LoweredModel plain = lower(model);
  require_fit(plain, name);
  if (!fits_sums(plain.inputs.size(), top_level)) {
    fail(
        "sums of 8-bit products over {} network inputs may not fit into 32 bits; leave out `int8`, or train "
        "with "
        "fewer columns",
        plain.inputs.size());
  }
  const CalibratedModel made = calibrate(model, plain, calibration);
  const CInput input = level_input(plain);
  CWriter out(name);
  write_beginning(out, made.quantized.lowered, input);
  write_int8_nets(out, made.quantized);
  write_predict(out, made.quantized.lowered, input);
  CHeader header{.text = {},
                 .constant_bytes = out.constant_bytes(),
                 .stack_bytes = stack_bytes(plain, input),
                 .multiplications = multiplications_of(plain)};
  write_self_test(out, self_test_of(model, plain, made.quantized));
  header.text =
      first_comment(plain, header, name, loss_text(model.task(), made.loss)) + out.text() + "\n#endif\n";
  return header;
}

}  // namespace coppice
