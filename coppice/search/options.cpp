#include "coppice/search/options.h"

#include "coppice/core/error.h"
#include "coppice/core/text.h"
#include "coppice/run/setting_builder.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coppice {

namespace {

using nlohmann::json;
using Values = std::vector<std::string>;

constexpr double most_units = 100'000;  // as --fixed-size
constexpr std::size_t most_layers = 100;
constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t whole_units(const std::string& text, const std::string& given, const char* example) {
  const double value = parse_number(trim(text)).value_or(0);
  if (!(value >= 1 && value <= most_units) || value != std::floor(value)) {
    fail("--hidden {}: needs whole numbers from 1 to {:.0f}, like {}", cited(given), most_units, example);
  }
  return static_cast<std::size_t>(value);
}

/// The two numbers of "1-100" or "1e-5-1"; a single number is both.
std::pair<std::string, std::string> ends_of(const std::string& range) {
  for (std::size_t i = 1; i + 1 < range.size(); ++i) {
    if (range[i] == '-' && range[i - 1] != 'e' && range[i - 1] != 'E')
      return {range.substr(0, i), range.substr(i + 1)};
  }
  return {range, range};
}

/// The words without commas; none may be empty or come twice.
Values distinct(const std::string& name, const Values& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::ranges::count(values, values[i]) > 1) fail("--{} {}: is given twice", name, cited(values[i]));
  }
  if (values.empty()) fail("--{}: needs at least one value", name);
  return values;
}

template <class E>
void add_choices(SettingBuilder& b, const std::string& name, std::vector<E>& field,
                 const std::vector<E>& allowed, const std::string& help, const std::string& why) {
  std::vector<std::string> words;
  for (const E value : allowed) words.push_back(name_of(value));
  Setting& setting = b.add(name, joined(words, "|") + "[,...]", help);
  setting.list = true;
  setting.set = [name, &field, words, why](const Values& values) {
    std::vector<E> chosen;
    for (const std::string& word : distinct(name, values)) {
      const bool known = from_name<E>(word).has_value();
      if (std::ranges::count(words, word) == 0)
        fail("--{} {}: must be one or more of {}{}", name, cited(word), joined(words, ", "),
             known ? why : "");
      chosen.push_back(*from_name<E>(word));
    }
    field = chosen;
  };
  setting.get = [&field] {
    std::vector<std::string> names;
    for (const E value : field) names.push_back(name_of(value));
    return json(joined(names, ","));
  };
}

void add_step_list(SettingBuilder& b, const std::string& name, StepSpace& steps, const std::string& help) {
  Setting& setting = b.add(name, "X[,Y,...]", help);
  setting.list = true;
  setting.set = [name, &steps](const Values& values) {
    std::vector<double> numbers;
    for (const std::string& text : distinct(name, values)) {
      if (ends_of(text).first != text)
        fail("--{} {}: a grid takes single steps, like 1,10,100; coppice search random takes a range", name,
             cited(text));
      numbers.push_back(checked_number(name, text, 0, infinity, false));
      if (std::ranges::count(numbers, numbers.back()) > 1) fail("--{} {}: is given twice", name, cited(text));
    }
    steps.values = numbers;
  };
  setting.get = [&steps] {
    std::vector<std::string> texts;
    for (const double step : steps.values) texts.push_back(fmt::format("{}", step));
    return json(joined(texts, ","));
  };
}

void add_step_range(SettingBuilder& b, const std::string& name, StepSpace& steps, const std::string& help) {
  Setting& setting = b.add(name, "LOW-HIGH", help);
  setting.set = [name, &steps](const Values& values) {
    const std::string& text = single(name, values);
    if (text.find(',') != std::string::npos)
      fail("--{} {}: a random search takes a range, like 1-1000; coppice search grid takes lists", name,
           cited(text));
    const auto [low_text, high_text] = ends_of(text);
    const double low = checked_number(name, low_text, 0, infinity, false);
    const double high = checked_number(name, high_text, 0, infinity, false);
    if (low > high) fail("--{} {}: the range is empty; the lower end comes first", name, cited(text));
    steps.low = low;
    steps.high = high;
  };
  setting.get = [&steps] { return json(fmt::format("{}-{}", steps.low, steps.high)); };
}

/// Sizes of a grid: the flag may come several times.
void add_sizes(SettingBuilder& b, SearchSpace& space) {
  Setting& setting =
      b.add("hidden", "N[,N,...]", "hidden units per layer; several sizes: give the flag several times");
  setting.set = [&space](const Values& values) {
    std::vector<std::vector<std::size_t>> sizes;
    for (const std::string& text : values) {
      std::vector<std::size_t> size;
      for (const std::string& units : split_commas({text})) {
        if (ends_of(units).first != units)
          fail("--hidden {}: a grid takes sizes, like 186,43; coppice search random takes ranges",
               cited(text));
        size.push_back(whole_units(units, text, "186,43"));
      }
      if (size.empty() || size.size() > most_layers)
        fail("--hidden {}: needs the units of 1 to {} hidden layers", cited(text), most_layers);
      if (std::ranges::count(sizes, size) > 0) fail("--hidden {}: is given twice", cited(text));
      sizes.push_back(std::move(size));
    }
    space.sizes = sizes;
  };
  setting.get = [&space] {
    json sizes = json::array();
    for (const std::vector<std::size_t>& size : space.sizes) {
      std::vector<std::string> units;
      for (const std::size_t count : size) units.push_back(std::to_string(count));
      sizes.push_back(joined(units, ","));
    }
    return sizes.empty() ? json() : sizes;
  };
}

void add_size_ranges(SettingBuilder& b, SearchSpace& space) {
  Setting& setting =
      b.add("hidden", "LOW-HIGH[,LOW-HIGH,...]",
            "hidden units per layer, from and to (default: two layers, from the number of rows)");
  setting.set = [&space](const Values& values) {
    const std::string& text = single("hidden", values);
    std::vector<LayerRange> layers;
    for (const std::string& range : split_commas({text})) {
      const auto [low, high] = ends_of(range);
      const LayerRange layer{.low = whole_units(low, text, "10-200,5-100"),
                             .high = whole_units(high, text, "10-200,5-100")};
      if (layer.low > layer.high)
        fail("--hidden {}: the range {} is empty; the lower end comes first", cited(text), range);
      layers.push_back(layer);
    }
    if (layers.empty() || layers.size() > most_layers)
      fail("--hidden {}: needs the units of 1 to {} hidden layers, like 10-200,5-100", cited(text),
           most_layers);
    space.layers = layers;
  };
  setting.get = [&space] {
    std::vector<std::string> ranges;
    for (const LayerRange& layer : space.layers)
      ranges.push_back(fmt::format("{}-{}", layer.low, layer.high));
    return ranges.empty() ? json() : json(joined(ranges, ","));
  };
}

}  // namespace

std::vector<Setting> search_settings_of(SearchOptions& o) {
  SettingBuilder b;
  const bool grid = o.kind == SearchKind::grid;
  const std::string plain = grid ? "steps of sgd, momentum and nesterov"
                                 : "steps of sgd, momentum and nesterov, "
                                   "drawn uniformly in their logarithm";
  const std::string normalised = "the same of rmsprop and adam";
  if (grid) {
    add_sizes(b, o.space);
    add_step_list(b, "steps", o.space.steps, plain);
    add_step_list(b, "normalised-steps", o.space.normalised_steps, normalised);
  } else {
    b.whole("trials", o.trials, 1, 1'000'000, "how many settings are tried").shapes_result = false;
    add_size_ranges(b, o.space);
    add_step_range(b, "steps", o.space.steps, plain);
    add_step_range(b, "normalised-steps", o.space.normalised_steps, normalised);
  }
  add_choices(b, "optimizers", o.space.optimizers, paper_optimizers(), "training algorithms",
              ": the others need a penalty on size, and a search has nets of fixed size");
  add_choices(b, "norms", o.space.norms, {Norm::batchnorm, Norm::batchnorm_affine, Norm::capnorm, Norm::none},
              "normalisations of hidden layers", "");
  b.whole("reruns", o.reruns, 1, 10'000,
          "nets that each of the best settings has in the end, with seeds seed, seed+1, ...")
      .shapes_result = false;
  b.whole("top", o.top, 1, 1'000'000, "how many settings --reruns trains again").shapes_result = false;
  return std::move(b.all);
}

void check_search(const SearchOptions& options) {
  if (options.kind == SearchKind::grid && options.space.sizes.empty())
    fail("--hidden is missing: a grid needs the hidden units per layer, like --hidden 186,43");
}

}  // namespace coppice
