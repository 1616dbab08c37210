#include "coppice/api/front.h"

#include "coppice/core/elementary.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace coppice {

namespace {

using Indices = std::vector<std::size_t>;

double error_of(const Candidate& net) {
  return std::isfinite(net.error) ? net.error : HUGE_VAL;
}

/// What makes one net better than another, whatever their sizes.
std::pair<double, double> rank_of(const Candidate& net) {
  return {error_of(net), net.tie};
}

std::size_t best_of(std::span<const Candidate> nets, const Indices& among) {
  return *std::ranges::min_element(
      among, {}, [&](std::size_t i) { return std::tuple(rank_of(nets[i]), nets[i].parameters, i); });
}

std::size_t smallest_of(std::span<const Candidate> nets, const Indices& among) {
  return *std::ranges::min_element(
      among, {}, [&](std::size_t i) { return std::tuple(nets[i].parameters, rank_of(nets[i]), i); });
}

/// The net furthest below the line from the smallest to the best of the front, both axes scaled to that line:
/// size as logarithm, since what counts is by how many times a net is larger.
std::size_t knee_of(std::span<const Candidate> nets, const Indices& among) {
  const std::size_t last = best_of(nets, among);
  const std::size_t first = smallest_of(nets, among);
  const auto size = [&](std::size_t i) { return elementary::log(static_cast<double>(nets[i].parameters)); };
  const double width = size(last) - size(first);
  const double height = nets[first].error - nets[last].error;
  if (!(width > 0 && height > 0)) return last;
  const auto below = [&](std::size_t i) {
    return (nets[first].error - nets[i].error) / height - (size(i) - size(first)) / width;
  };
  return *std::ranges::max_element(among, {}, [&](std::size_t i) {
    return std::tuple(below(i), -static_cast<double>(nets[i].parameters), -static_cast<double>(i));
  });
}

}  // namespace

std::vector<bool> dominated(std::span<const Candidate> nets) {
  std::vector<bool> result(nets.size());
  for (std::size_t i = 0; i < nets.size(); ++i) {
    for (std::size_t k = 0; k < nets.size() && !result[i]; ++k) {
      const bool as_good = rank_of(nets[k]) <= rank_of(nets[i]) && nets[k].parameters <= nets[i].parameters;
      const bool equal = rank_of(nets[k]) == rank_of(nets[i]) && nets[k].parameters == nets[i].parameters;
      result[i] = k != i && as_good && (!equal || k < i);
    }
  }
  return result;
}

std::optional<std::size_t> pick(std::span<const Candidate> nets, Pick rule, const Budget& budget) {
  Indices among;
  for (std::size_t i = 0; i < nets.size(); ++i) {
    if (budget.admits(nets[i])) among.push_back(i);
  }
  if (among.empty()) return std::nullopt;
  const std::size_t best = best_of(nets, among);
  if (rule == Pick::best || !std::isfinite(nets[best].error)) return best;
  if (rule == Pick::smallest) {
    const double limit = nets[best].error + nets[best].standard_error;
    std::erase_if(among, [&](std::size_t i) { return error_of(nets[i]) > limit; });
    return smallest_of(nets, among);
  }
  std::erase_if(among, [&](std::size_t i) { return !std::isfinite(nets[i].error); });
  return knee_of(nets, among);
}

std::size_t smallest_net(std::span<const Candidate> nets) {
  Indices all(nets.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return smallest_of(nets, all);
}

}  // namespace coppice
