#include "coppice/api/class_weights.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/classes.h"
#include "coppice/data/columns.h"

#include <cmath>

namespace coppice {

ClassWeight parse_class_weight(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const std::optional<double> weight =
      equals == std::string::npos ? std::nullopt : parse_number(trim(text.substr(equals + 1)));
  if (!weight || !(*weight > 0) || !std::isfinite(*weight)) {
    fail_option("class-weights",
                "`class-weights` {}: must be balanced, none, or classes with numbers above 0, such as "
                "yes=5,no=1",
                cited(text));
  }
  return {.name = to_utf8(text.substr(0, equals)), .weight = *weight};
}

std::vector<double> class_factors(const std::vector<std::string>& texts, const Encoding& encoding,
                                  const Dataset& data, std::span<const std::uint32_t> rows) {
  if (texts.empty()) return {};
  const std::vector<std::string>& classes = encoding.target.classes;
  if (encoding.task != Task::classification) {
    fail_option("class-weights",
                "`class-weights`: the target {} holds numbers, which have no classes; leave it out or use "
                "`weight`",
                cited(encoding.target.name));
  }
  std::vector<double> factors(classes.size(), 1.0);
  if (texts.front() == "balanced") {
    std::vector<double> shares(classes.size());
    for (const std::uint32_t row : rows) {
      if (data.labels[row] < classes.size())
        shares[data.labels[row]] += data.weights.empty() ? 1.0 : data.weights[row];
    }
    const double mean = total_weight(data, rows) / static_cast<double>(classes.size());
    for (std::size_t k = 0; k < classes.size(); ++k) {
      if (shares[k] > 0) factors[k] = mean / shares[k];
    }
    return factors;
  }
  const ClassIndex index(classes);
  for (const std::string& text : texts) {
    const ClassWeight given = parse_class_weight(text);
    const std::size_t k = index.find(given.name);
    if (k == classes.size()) {
      fail_option("class-weights", "`class-weights`: there is no class {}{}; the classes are {}",
                  cited(given.name), suggestion(given.name, classes), listed(classes, 10));
    }
    factors[k] = given.weight;
  }
  return factors;
}

void weigh_classes(Dataset& data, std::span<const double> factors) {
  if (factors.empty()) return;
  if (data.weights.empty()) data.weights.assign(data.rows(), 1.0F);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (data.labels[row] < factors.size())
      data.weights[row] = static_cast<float>(data.weights[row] * factors[data.labels[row]]);
  }
}

}  // namespace coppice
