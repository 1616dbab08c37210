#include "coppice/exports/c_parts.h"

#include <algorithm>

namespace coppice {

void write_answer(CWriter& out, const LoweredModel& model) {
  const auto nets = static_cast<double>(model.nets.size());
  if (model.task == Task::regression) {
    constexpr double most = 88.7;  // beyond it exp is more than a float holds
    out.code("\n/* The value, of what the nets say. */\nstatic inline int $_answer(float *y) {\n");
    out.line("  y[0] = {} + {} * y[0];", c_float(static_cast<float>(model.target.mean)),
             c_float(static_cast<float>(model.target.deviation / nets)));
    if (model.target.ceiling) {
      const std::string ceiling = c_float(static_cast<float>(std::min(*model.target.ceiling, most)));
      out.line("  y[0] = @_EXPF(y[0] < {0} ? y[0] : {0});", ceiling);
    }
    out.code("  return 0;\n}\n");
    return;
  }
  out.code("\n/* Probabilities, of what the nets say; returns the most likely class. */\n");
  out.code("static inline int $_answer(float *y) {\n  int k, best = 0;\n  float top, sum = 0.0f;\n");
  out.line("  for (k = 1; k < {}; k++) {{", model.outputs());
  out.code("    if (y[k] > y[best]) best = k;\n  }\n  top = y[best];\n");
  out.line("  for (k = 0; k < {}; k++) {{", model.outputs());
  out.line("    y[k] = @_EXPF((y[k] - top) * {});",
           c_float(static_cast<float>(1 / (nets * model.temperature))));
  out.code("    sum += y[k];\n  }\n");
  out.line("  for (k = 0; k < {}; k++) y[k] /= sum;", model.outputs());
  out.code("  return best;\n}\n");
}

}  // namespace coppice
