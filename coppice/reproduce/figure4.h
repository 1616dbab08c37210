#pragma once

#include "coppice/reproduce/analysed_run.h"
#include "coppice/reproduce/page.h"

#include <cstddef>
#include <string>
#include <vector>

namespace coppice::reproduce {

/// A net of the analysed run's final size, trained for comparison.
struct Compared {
  std::string label;
  std::string colour;
  TrainedNets nets;
  NetHistory history;
  std::size_t mistakes = 0;  ///< wrong training rows
};

/// Everything that figure 4 shows.
struct Figure4 {
  AnalysedRun run;
  std::size_t mistakes = 0;  ///< of the analysed net: wrong training rows
  std::size_t training_rows = 0;
  std::vector<double> output_lengths;  ///< fan-ins of the output units at the end
  Compared sgd;
  Compared rmsprop;
  std::vector<Origin> tried;  ///< runs of RMSprop with all steps
  std::size_t epochs = 0;     ///< with units being added
  std::size_t lifetime = 0;
};

std::vector<Claim> figure4_claims(const Figure4& figure);

/// Panels A to F as one picture and as rows "panel, series, x, y".
struct Drawn {
  std::string svg;
  std::vector<std::vector<std::string>> rows;
};
Drawn draw_figure4(const Figure4& figure);

}  // namespace coppice::reproduce
