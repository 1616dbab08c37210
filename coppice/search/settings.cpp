#include "coppice/search/settings.h"

#include "coppice/api/setting_builder.h"
#include "coppice/core/fail.h"
#include "coppice/core/text.h"

#include <algorithm>
#include <cmath>

namespace coppice {

namespace {

using nlohmann::json;
using Values = std::vector<std::string>;
using Builder = SettingBuilder<SearchSpace>;
using S = SearchSpace;

constexpr double most_units = 100'000;  // as --fixed-size
constexpr std::size_t most_layers = 100;

std::size_t whole_units(const std::string& text, const std::string& given, const char* example) {
  const double value = parse_number(trim(text)).value_or(0);
  if (!(value >= 1 && value <= most_units) || value != std::floor(value)) {
    fail_option("hidden", "`hidden` {}: needs whole numbers from 1 to {:.0f}, like {}", cited(given),
                most_units, example);
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
    if (std::ranges::count(values, values[i]) > 1)
      fail_option(name, "`{}` {}: is given twice", name, cited(values[i]));
  }
  if (values.empty()) fail_option(name, "`{}`: needs at least one value", name);
  return values;
}

template <class E>
void add_choices(Builder& b, const std::string& name, std::vector<E> S::*field, const std::vector<E>& allowed,
                 const std::string& help, const std::string& why) {
  std::vector<std::string> words;
  for (const E value : allowed) words.push_back(name_of(value));
  Setting<S>& setting = b.add(name, joined(words, "|") + "[,...]", help);
  setting.list = true;
  setting.set = [name, field, words, why](S& space, const Values& values) {
    std::vector<E> chosen;
    for (const std::string& word : distinct(name, values)) {
      const bool known = from_name<E>(word).has_value();
      if (std::ranges::count(words, word) == 0)
        fail_option(name, "`{}` {}: must be one or more of {}{}", name, cited(word), joined(words, ", "),
                    known ? why : "");
      chosen.push_back(*from_name<E>(word));
    }
    space.*field = chosen;
  };
  setting.get = [field](const S& space) {
    std::vector<std::string> names;
    for (const E value : space.*field) names.push_back(name_of(value));
    return json(joined(names, ","));
  };
}

void add_step_list(Builder& b, const std::string& name, StepSpace S::*steps, const std::string& help) {
  Setting<S>& setting = b.add(name, "X[,Y,...]", help);
  setting.list = true;
  setting.set = [name, steps](S& space, const Values& values) {
    std::vector<double> numbers;
    for (const std::string& text : distinct(name, values)) {
      if (ends_of(text).first != text)
        fail_option(name,
                    "`{}` {}: a grid takes single steps, like 1,10,100; coppice search random takes a range",
                    name, cited(text));
      numbers.push_back(checked_number(name, text, above_zero));
      if (std::ranges::count(numbers, numbers.back()) > 1)
        fail_option(name, "`{}` {}: is given twice", name, cited(text));
    }
    (space.*steps).values = numbers;
  };
  setting.get = [steps](const S& space) {
    std::vector<std::string> texts;
    for (const double step : (space.*steps).values) texts.push_back(fmt::format("{}", step));
    return json(joined(texts, ","));
  };
}

void add_step_range(Builder& b, const std::string& name, StepSpace S::*steps, const std::string& help) {
  Setting<S>& setting = b.add(name, "LOW-HIGH", help);
  setting.set = [name, steps](S& space, const Values& values) {
    const std::string& text = single(name, values);
    if (text.find(',') != std::string::npos)
      fail_option(name,
                  "`{}` {}: a random search takes a range, like 1-1000; coppice search grid takes lists",
                  name, cited(text));
    const auto [low_text, high_text] = ends_of(text);
    const double low = checked_number(name, low_text, above_zero);
    const double high = checked_number(name, high_text, above_zero);
    if (low > high)
      fail_option(name, "`{}` {}: the range is empty; the lower end comes first", name, cited(text));
    (space.*steps).low = low;
    (space.*steps).high = high;
  };
  setting.get = [steps](const S& space) {
    return json(fmt::format("{}-{}", (space.*steps).low, (space.*steps).high));
  };
}

/// Sizes of a grid: the flag may come several times.
void add_sizes(Builder& b) {
  Setting<S>& setting =
      b.add("hidden", "N[,N,...]", "hidden units per layer; several sizes: give the flag several times");
  setting.set = [](S& space, const Values& values) {
    std::vector<std::vector<std::size_t>> sizes;
    for (const std::string& text : values) {
      std::vector<std::size_t> size;
      for (const std::string& units : split_commas({text})) {
        if (ends_of(units).first != units)
          fail_option("hidden",
                      "`hidden` {}: a grid takes sizes, like 186,43; coppice search random takes ranges",
                      cited(text));
        size.push_back(whole_units(units, text, "186,43"));
      }
      if (size.empty() || size.size() > most_layers)
        fail_option("hidden", "`hidden` {}: needs the units of 1 to {} hidden layers", cited(text),
                    most_layers);
      if (std::ranges::count(sizes, size) > 0)
        fail_option("hidden", "`hidden` {}: is given twice", cited(text));
      sizes.push_back(std::move(size));
    }
    space.sizes = sizes;
  };
  setting.get = [](const S& space) {
    json sizes = json::array();
    for (const std::vector<std::size_t>& size : space.sizes) {
      std::vector<std::string> units;
      for (const std::size_t count : size) units.push_back(std::to_string(count));
      sizes.push_back(joined(units, ","));
    }
    return sizes.empty() ? json() : sizes;
  };
}

void add_size_ranges(Builder& b) {
  Setting<S>& setting =
      b.add("hidden", "LOW-HIGH[,LOW-HIGH,...]",
            "hidden units per layer, from and to (default: two layers, from the number of rows)");
  setting.set = [](S& space, const Values& values) {
    const std::string& text = single("hidden", values);
    std::vector<LayerRange> layers;
    for (const std::string& range : split_commas({text})) {
      const auto [low, high] = ends_of(range);
      const LayerRange layer{.low = whole_units(low, text, "10-200,5-100"),
                             .high = whole_units(high, text, "10-200,5-100")};
      if (layer.low > layer.high)
        fail_option("hidden", "`hidden` {}: the range {} is empty; the lower end comes first", cited(text),
                    visible(range));
      layers.push_back(layer);
    }
    if (layers.empty() || layers.size() > most_layers)
      fail_option("hidden", "`hidden` {}: needs the units of 1 to {} hidden layers, like 10-200,5-100",
                  cited(text), most_layers);
    space.layers = layers;
  };
  setting.get = [](const S& space) {
    std::vector<std::string> ranges;
    for (const LayerRange& layer : space.layers)
      ranges.push_back(fmt::format("{}-{}", layer.low, layer.high));
    return ranges.empty() ? json() : json(joined(ranges, ","));
  };
}

/// A plain number of the space, which always has one.
void add_count(Builder& b, const std::string& name, std::size_t S::*field, std::size_t most,
               const std::string& help) {
  Setting<S>& setting = b.add(name, "N", help);
  setting.shapes_result = false;
  setting.set = [name, field, most](S& space, const Values& values) {
    space.*field = checked_whole(name, single(name, values), 1, most);
  };
  setting.get = [field](const S& space) { return json(space.*field); };
}

std::vector<Setting<S>> make_settings(SearchKind kind) {
  Builder b;
  const bool grid = kind == SearchKind::grid;
  const std::string plain = grid ? "steps of sgd, momentum and nesterov"
                                 : "steps of sgd, momentum and nesterov, drawn uniformly in their logarithm";
  const std::string normalised = "the same of rmsprop and adam";
  if (grid) {
    add_sizes(b);
    add_step_list(b, "steps", &S::steps, plain);
    add_step_list(b, "normalised-steps", &S::normalised_steps, normalised);
  } else {
    add_count(b, "trials", &S::trials, 1'000'000, "how many settings are tried");
    add_size_ranges(b);
    add_step_range(b, "steps", &S::steps, plain);
    add_step_range(b, "normalised-steps", &S::normalised_steps, normalised);
  }
  add_choices(b, "optimizers", &S::optimizers, paper_optimizers(), "training algorithms",
              ": the others need a penalty on size, and a search has nets of fixed size");
  add_choices(b, "norms", &S::norms, {Norm::batchnorm, Norm::batchnorm_affine, Norm::capnorm, Norm::none},
              "normalisations of hidden layers", "");
  add_count(b, "reruns", &S::reruns, 10'000,
            "nets that each of the best settings has in the end, with seeds seed, seed+1, ...");
  add_count(b, "top", &S::top, 1'000'000, "how many settings `reruns` trains again");
  return std::move(b.all);
}

}  // namespace

const std::vector<Setting<SearchSpace>>& search_settings(SearchKind kind) {
  static const std::vector<Setting<S>> grid = make_settings(SearchKind::grid);
  static const std::vector<Setting<S>> random = make_settings(SearchKind::random);
  return kind == SearchKind::grid ? grid : random;
}

void check_search(const SearchSpace& space, const Options& options) {
  if (space.kind == SearchKind::grid && space.sizes.empty()) {
    fail_option("hidden",
                "`hidden` is missing: a grid needs the hidden units per layer, like `hidden` 186,43");
  }
  for (const Setting<Options>& setting : settings()) {
    const std::string why = why_not_shared(setting.name);
    if (!why.empty() &&
        (!setting.get(options).is_null() || (setting.name == "warm-start" && options.warm_start)))
      fail_option(setting.name, "{}", why);
  }
}

}  // namespace coppice
