#pragma once

#include "benchmarks/turns.h"

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace coppice {

/// A measured number beside what it must be and what it should be.
struct Figure {
  std::string name;
  Spread measured;
  double must = 0;
  double aim = 0;
  bool at_most = true;  ///< small is good

  bool reached(double goal) const { return at_most ? measured.median <= goal : measured.median >= goal; }
};

/// A printed table of measurements without a goal.
struct Series {
  std::string name;
  std::vector<std::string> heading;
  std::vector<std::vector<std::string>> rows;
};

std::string figures_text(const std::vector<Figure>& figures);
std::string series_text(const Series& series);
nlohmann::json figures_json(const std::vector<Figure>& figures, const std::vector<Series>& series);

}  // namespace coppice
