#pragma once

#include "coppice/report/history.h"

#include "experiments/page.h"

#include <cmath>
#include <string>
#include <vector>

namespace coppice::experiments {

/// One line of table 2: an algorithm on poker hands.
struct PokerRow {
  std::string algorithm = {};
  double lambda = std::nan("");
  std::vector<std::size_t> units = {};
  std::size_t parameters = 0;
  double validation = std::nan("");
  double error = std::nan("");
  std::string seed = "0";
  std::string setting = {};
  std::string paper_units = {};
  double paper_error = std::nan("");
  double settled =
      std::nan("");  ///< share of its epochs after which its size stays within a tenth of the last one
};

inline constexpr const char* own_net = "nonparametric net";
inline constexpr const char* default_net = "nonparametric net, default settings";
inline constexpr const char* parametric_net = "parametric net";
inline constexpr const char* published_size_net = "parametric net of the paper's size";
inline constexpr const char* patient_net = "nonparametric net, patience 50";
inline constexpr const char* mnist_net = "nonparametric net, MNIST";  ///< for comparison of sizes in training
inline constexpr const char* linear_model = "logistic regression";

std::string table2_details(const std::vector<PokerRow>& rows);
/// As csv, a net per row.
Rows table2_rows(const std::vector<PokerRow>& rows);
Svg draw_table2(const std::vector<PokerRow>& rows);

/// The share of the epochs after which the number of hidden units stays within a tenth of what it is in the end.
double settled_after(const NetHistory& history);

/// There are rows of the linear model, and of own and parametric nets, as many lambdas of each, falling. `test_rows`: how
/// many hands the errors were measured on.
std::vector<Claim> table2_claims(const std::vector<PokerRow>& rows, std::size_t test_rows);

}  // namespace coppice::experiments
