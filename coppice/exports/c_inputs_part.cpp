#include "coppice/exports/c_parts.h"

#include <algorithm>
#include <functional>
#include <span>

namespace coppice {

namespace {

constexpr std::string_view squashing = R"C(
/* The square root of a number from 1 to 2. */
static inline float $_root(float a) {
  float r = 0.5f * (1.0f + a);
  r = 0.5f * (r + a / r);
  r = 0.5f * (r + a / r);
  return 0.5f * (r + a / r);
}

/* z / sqrt(1 + (z / limit)^2): at most the limit, however far out z is. */
static inline float $_squash(float z, float limit) {
  const float s = z / limit;
  if (s > 1.0f) return limit / $_root(1.0f + 1.0f / s / s);
  if (s < -1.0f) return -limit / $_root(1.0f + 1.0f / s / s);
  return z / $_root(1.0f + s * s);
}
)C";

constexpr std::string_view binning = R"C(
/* Rises from 0 to 1 between two edges. */
static inline float $_bin(float v, float low, float high) {
  if (v <= low) return 0.0f;
  if (v >= high) return 1.0f;
  return (v - low) / (high - low);
}
)C";

constexpr std::string_view choosing = R"C(
/* Which of the categories a cell is; their number: none of them. */
static inline int $_choice(float cell, int count, int missing) {
  if (cell != cell) return missing;
  return cell >= 0.0f && cell < (float)count ? (int)cell : count;
}
)C";

constexpr std::string_view levelling = R"C(
static inline {0} $_level(float v) {{
  return ({0})(v <= 0.0f ? 0.0f : v >= {1} ? {1} : v + 0.5f);
}})C";

double top_of(CInput input) {
  return input == CInput::level ? top_level : top_wide_level;
}

/// Features of numbers that follow each other and are made into inputs in the same way.
using Run = std::span<const Feature>;

bool alike(const Feature& a, const Feature& b) {
  return a.part != CellPart::category && b.part != CellPart::category && a.squash.used() == b.squash.used() &&
         a.indicator == b.indicator && a.bins() == b.bins();
}

std::vector<Run> runs_of(const LoweredModel& model) {
  std::vector<Run> runs;
  const std::span all(model.features);
  for (std::size_t first = 0; first < all.size();) {
    std::size_t count = 1;
    while (first + count < all.size() && alike(all[first], all[first + count])) ++count;
    runs.push_back(all.subspan(first, count));
    first += count;
  }
  return runs;
}

/// Writes the function that makes inputs of the cells; constants stand before it.
class InputsWriter {
 public:
  InputsWriter(CWriter& out, const LoweredModel& model, CInput input)
      : out_(out), model_(model), input_(input) {}

  void write() {
    for (const Run& run : runs_of(model_)) {
      const std::size_t cell = static_cast<std::size_t>(run.data() - model_.features.data());
      if (run.front().part == CellPart::category) {
        category(run.front(), cell);
      } else {
        numbers(run, cell);
      }
    }
    out_.line("\nstatic inline int $_inputs(const float *row, {} *x) {{", c_input_type(input_));
    out_.code("  int k;\n  (void)k;\n");
    out_.code(body_);
    out_.code("  return 0;\n}\n");
  }

 private:
  /// The value of a run's features: a literal if all have the same, else an element of a constant array.
  std::string constant(const std::string& what, Run run, const std::function<float(const Feature&)>& value) {
    std::vector<float> values;
    for (const Feature& feature : run) values.push_back(value(feature));
    if (std::ranges::count(values, values.front()) == static_cast<std::ptrdiff_t>(values.size()))
      return c_float(values.front());
    const std::string name = fmt::format("{}_{}", what, ++arrays_);
    out_.floats(name, values);
    return fmt::format("$_{}[k]", name);
  }

  /// The same of whole numbers.
  template <class Number>
  std::string whole(const std::string& type, const std::string& what, const std::vector<Number>& values) {
    if (std::ranges::count(values, values.front()) == static_cast<std::ptrdiff_t>(values.size()))
      return fmt::format("{}", values.front());
    const std::string name = fmt::format("{}_{}", what, ++arrays_);
    out_.whole_numbers<Number>(type, name, values);
    return fmt::format("$_{}[k]", name);
  }

  /// What becomes of an input that is made of `raw`.
  std::string scaled(const std::string& raw, const std::string& offset, const std::string& factor) const {
    const std::string shifted = offset == "0.0f" ? raw : fmt::format("({} - {})", raw, offset);
    const std::string value = factor == "1.0f" ? shifted : fmt::format("{} * {}", shifted, factor);
    return levels() ? fmt::format("$_level({})", value) : value;
  }

  /// Whether a unit input is counted from 1: then it is what it lacks of it, below 0. Levels are counted from 0.
  bool from_one(std::size_t input) const { return !levels() && model_.inputs[input].offset == 1; }

  void category(const Feature& feature, std::size_t cell) {
    const auto none = std::ranges::find(feature.categories, "") - feature.categories.begin();
    add("  for (k = 0; k < {}; k++) x[{} + k] = 0;", feature.inputs, feature.first_input);
    bool from_zero = true;
    for (std::size_t i = feature.first_input; i < feature.first_input + feature.inputs; ++i) {
      if (!from_one(i)) continue;
      add("  x[{}] = -1.0f;", i);
      from_zero = false;
    }
    add("  x[{} + $_choice(row[{}], {}, {})] {} {};", feature.first_input, cell, feature.categories.size(),
        none, from_zero ? "=" : "+=", levels() ? fmt::format("{}", top_of(input_)) : "1.0f");
  }

  void numbers(Run run, std::size_t cell) {
    const Feature& first = run.front();
    const auto scale = [&](const Feature& feature) { return model_.inputs[feature.first_input]; };
    const std::string place = first.inputs == 1 ? "k" : fmt::format("{} * k", first.inputs);
    const auto input = [&](std::size_t i) {
      return first.first_input + i == 0 ? place : fmt::format("{} + {}", first.first_input + i, place);
    };
    add("  for (k = 0; k < {}; k++) {{", run.size());
    add("    float v = row[{} + k];", cell);
    add("    if (v > FLT_MAX || v < -FLT_MAX) return -1 - ({} + k);", cell);
    if (first.indicator) {
      const auto gone = [&](const Feature& f) { return model_.inputs[f.first_input + 1].offset; };
      add("    x[{}] = {};", input(1),
          levels() ? fmt::format("({})(v != v ? {} : 0)", c_input_type(input_), top_of(input_))
                   : scaled("(v != v ? 1.0f : 0.0f)", constant("gone", run, gone), "1.0f"));
    }
    const bool fill_level = levels() && first.bins() == 0;  // shorter than a float
    if (!fill_level)
      add("    if (v != v) v = {};", constant("fill", run, [](const Feature& f) { return f.fill; }));
    std::string raw = "v";
    if (first.squash.used()) {
      raw = fmt::format("$_squash((v - {}) * {}, {})",
                        constant("median", run, [](const Feature& f) { return f.squash.median; }),
                        constant("spread", run, [](const Feature& f) { return f.squash.factor; }),
                        constant("limit", run, [](const Feature& f) { return f.squash.limit; }));
    }
    const std::string value =
        scaled(raw, constant("offset", run, [&](const Feature& f) { return scale(f).offset; }),
               constant("factor", run, [&](const Feature& f) { return scale(f).factor; }));
    if (fill_level) {
      add("    x[{}] = v != v ? {} : {};", input(0), fill_levels(run), value);
    } else {
      add("    x[{}] = {};", input(0), value);
    }
    if (first.bins() > 0) bins(run);
    add("  }}");
  }

  /// What stands for missing cells, as levels.
  std::string fill_levels(Run run) {
    std::vector<std::uint16_t> levels;
    for (const Feature& feature : run) {
      const double raw = feature.squash.used() ? feature.squash(feature.fill) : feature.fill;
      levels.push_back(to_level(model_.inputs[feature.first_input](raw), top_of(input_)));
    }
    const std::vector<std::uint8_t> bytes(levels.begin(), levels.end());
    return fmt::format("({}){}", c_input_type(input_),
                       input_ == CInput::level ? whole<std::uint8_t>("uint8_t", "fill", bytes)
                                               : whole<std::uint16_t>("uint16_t", "fill", levels));
  }

  void bins(Run run) {
    const Feature& first = run.front();
    std::vector<float> edges;
    for (const Feature& feature : run) edges.insert(edges.end(), feature.edges.begin(), feature.edges.end());
    const std::string name = fmt::format("edges_{}", ++arrays_);
    out_.floats(name, edges);
    add("    {{");
    add("      const float *edge = $_{} + {} * k;", name, first.edges.size());
    add("      int t;");
    add("      for (t = 0; t < {}; t++) {{", first.bins());
    add("        x[{} + {} * k + t] = {};", first.first_bin(), first.inputs, bin(run));
    add("      }}\n    }}");
  }

  /// What becomes of bin t. The first ones, which are 1 more often than not, are counted from there: what they lack rises on the
  /// other side of their edges.
  std::string bin(Run run) {
    const std::string rising = "$_bin(v, edge[t], edge[t + 1])";
    const InputScale& scale = model_.inputs[run.front().first_bin()];
    if (levels()) return scaled(rising, c_float(scale.offset), c_float(scale.factor));
    std::vector<std::uint16_t> ones;
    for (const Feature& feature : run) {
      std::uint16_t& count = ones.emplace_back();
      while (count < feature.bins() && from_one(feature.first_bin() + count)) ++count;
    }
    const std::string firsts = whole<std::uint16_t>("uint16_t", "ones", ones);
    if (firsts == "0") return rising;
    return fmt::format("t < {} ? -$_bin(-v, -edge[t + 1], -edge[t]) : {}", firsts, rising);
  }

  bool levels() const { return input_ != CInput::real; }

  template <class... Args>
  void add(std::string_view format, Args&&... args) {
    body_ += fmt::format(fmt::runtime(format), std::forward<Args>(args)...) + "\n";
  }

  CWriter& out_;
  const LoweredModel& model_;
  CInput input_;
  std::size_t arrays_ = 0;
  std::string body_;
};

}  // namespace

std::string c_input_type(CInput input) {
  return input == CInput::real ? "float" : input == CInput::level ? "uint8_t" : "uint16_t";
}

std::size_t c_input_bytes(CInput input) {
  return input == CInput::real ? sizeof(float) : input == CInput::level ? 1 : 2;
}

CInput level_input(const LoweredModel& model) {
  return top_input_level(model) == top_level ? CInput::level : CInput::wide_level;
}

void write_inputs(CWriter& out, const LoweredModel& model, CInput input) {
  const auto any = [&](const auto& is) { return std::ranges::any_of(model.features, is); };
  if (any([](const Feature& f) { return f.part != CellPart::category && f.squash.used(); }))
    out.code(squashing);
  if (any([](const Feature& f) { return f.bins() > 0; })) out.code(binning);
  if (any([](const Feature& f) { return f.part == CellPart::category; })) out.code(choosing);
  if (input != CInput::real)
    out.line(levelling, c_input_type(input), c_float(static_cast<float>(top_of(input))));
  out.code("\n");
  InputsWriter(out, model, input).write();
}

}  // namespace coppice
