#include "benchmarks/figures.h"

#include "cli/terminal/table.h"

#include <fmt/format.h>

namespace coppice {

std::string figures_text(const std::vector<Figure>& figures) {
  cli::TextTable table({"figure", "median", "range", "must", "aim", ""});
  for (const Figure& f : figures) {
    const auto goal = [&](double value) { return fmt::format("{} {:g}", f.at_most ? "<=" : ">=", value); };
    const std::string verdict = f.reached(f.aim) ? "aim reached" : f.reached(f.must) ? "reached" : "MISSED";
    table.add({f.name, fmt::format("{:.3f}", f.measured.median),
               fmt::format("{:.3f} to {:.3f}", f.measured.low, f.measured.high), goal(f.must), goal(f.aim),
               verdict});
  }
  return table.text();
}

std::string series_text(const Series& series) {
  cli::TextTable table(series.heading);
  for (const auto& row : series.rows) table.add(row);
  return series.name + "\n" + table.text();
}

nlohmann::json figures_json(const std::vector<Figure>& figures, const std::vector<Series>& series) {
  nlohmann::json json{{"figures", nlohmann::json::object()}, {"series", nlohmann::json::array()}};
  for (const Figure& f : figures) {
    json["figures"][f.name] = {{"value", f.measured.median},
                               {"low", f.measured.low},
                               {"high", f.measured.high},
                               {"must", f.must},
                               {"aim", f.aim},
                               {"at_most", f.at_most}};
  }
  for (const Series& s : series) {
    json["series"].push_back({{"name", s.name}, {"heading", s.heading}, {"rows", s.rows}});
  }
  return json;
}

}  // namespace coppice
