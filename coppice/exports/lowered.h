#pragma once

#include "coppice/core/choices.h"
#include "coppice/core/matrix.h"
#include "coppice/core/names.h"
#include "coppice/data/encoding.h"
#include "coppice/data/kinds.h"
#include "coppice/model/model.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A model as plain steps from the cells of a row to its answer: what every exporter walks through.
namespace coppice {

/// A column of the user's table that is looked at.
struct RawColumn {
  std::string name;
  ColumnKind kind = ColumnKind::number;
};

/// What is taken of a cell.
enum class CellPart : std::uint8_t {
  number,    ///< the number that stands there, less `origin`
  category,  ///< which of the categories the text is
  day,       ///< of a date: days since 1970-01-01 with the time as their fraction, less `origin`
  month,     ///< 1 to 12
  weekday,   ///< 1 (Monday) to 7
  hour,      ///< of a date or a time: 0 to 24, minutes as the fraction
  rank,  ///< which of the words the text is, in small letters and with single blanks; none of them: missing
};
template <>
inline constexpr std::array<std::string_view, 7> names_of<CellPart>{"number",  "category", "day", "month",
                                                                    "weekday", "hour",     "rank"};

/// Something taken of a cell and the network inputs that are made of it, from `first_input` on: of a category one for each,
/// 0 or 1, and one for every other text; of a number x (`fill` if it is missing) x itself, squashed if it is so, then
/// 0 or 1 for "was missing" if there is an indicator, then from one edge to the next what rises from 0 to 1.
struct Feature {
  std::string name;        ///< "age", "when month"
  std::size_t column = 0;  ///< raw
  CellPart part = CellPart::number;
  double origin = 0;                    ///< number, day
  std::vector<std::string> words;       ///< rank, from 0
  std::vector<std::string> categories;  ///< category; "" is a missing cell, which else counts as another text
  float fill = 0;
  Squash squash;  ///< in float, z / limit may be too large to be squared
  bool indicator = false;
  std::vector<float> edges;
  std::size_t first_input = 0;
  std::size_t inputs = 0;

  /// Something is taken off a number that float32 cannot hold.
  bool wide() const { return part == CellPart::number && origin != 0; }
  std::size_t bins() const { return edges.empty() ? 0 : edges.size() - 1; }
  std::size_t first_bin() const { return first_input + (indicator ? 2 : 1); }
};

/// input = (raw - offset) * factor.
struct InputScale {
  std::string name;  ///< "colour=red"
  float offset = 0;
  float factor = 0;

  double operator()(double raw) const { return (raw - offset) * factor; }
};

/// y = activation(weights x + bias); one row of weights per unit. Normalisations are folded into both.
struct DenseLayer {
  Matrix<float> weights;
  std::vector<float> bias;
  Activation activation = Activation::identity;

  std::size_t units() const { return weights.rows(); }
};

struct LoweredNet {
  std::vector<std::uint32_t> inputs;  ///< of all those that the net takes, rising
  std::vector<DenseLayer> layers;     ///< base rates of classes are part of the last bias

  std::size_t multiplications() const;
};

/// What becomes of the averaged output of a model of numbers: mean + deviation * output; of logarithms exp of that,
/// which is at most `ceiling`.
struct LoweredTarget {
  std::string name;
  double mean = 0;
  double deviation = 1;
  std::optional<double> ceiling;  ///< there is one if these are logarithms
};

/// The answer is made of the mean of the nets' outputs: softmax(mean / temperature) are the probabilities of the classes, or
/// it is a number.
struct LoweredModel {
  Task task = Task::classification;
  Scaling scaling = Scaling::column;  ///< global: all inputs are scaled alike
  std::vector<RawColumn> columns;
  std::vector<Feature> features;
  std::vector<InputScale> inputs;
  std::vector<LoweredNet> nets;
  std::vector<std::string> classes;
  double temperature = 1;
  LoweredTarget target;
  ModelOrigin origin;

  std::size_t outputs() const { return nets.front().layers.back().units(); }
};

/// The features that are made of each raw column.
std::vector<std::vector<const Feature*>> features_by_column(const LoweredModel& model);

/// Inputs that never varied in training, and those that no unit of a net looks at, are left out of that net.
LoweredModel lower(const Model& model);

}  // namespace coppice
