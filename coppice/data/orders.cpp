#include "coppice/data/orders.h"

#include "coppice/core/text.h"
#include "coppice/data/cell.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace coppice {

namespace {

using Words = std::vector<std::string_view>;

/// Each list from least to greatest; words that mean the same share a place, divided by bars.
const std::vector<Words>& lists() {
  static const std::vector<Words> all{
      {"none|no", "very low|lowest", "low", "medium low|low medium|lower middle",
       "medium|moderate|middle|mid|average|normal", "medium high|high medium|upper middle", "high",
       "very high|highest", "extreme|critical"},
      {"tiny|very small|xxs", "xs|extra small", "small|s", "medium|m|normal|regular", "large|l|big",
       "xl|extra large|very large", "xxl|huge", "xxxl"},
      {"never", "very rarely|almost never", "rarely|seldom", "sometimes|occasionally",
       "often|frequently|usually", "very often|almost always", "always"},
      {"very bad|very poor|terrible", "bad|poor", "fair|ok|okay|average|acceptable", "good", "very good",
       "premium|excellent", "ideal|outstanding"},
      {"strongly disagree|completely disagree", "disagree", "somewhat disagree",
       "neutral|neither|neither agree nor disagree", "somewhat agree", "agree",
       "strongly agree|completely agree"},
      {"mild", "moderate", "severe", "very severe|critical"},
      {"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"},
      {"monday|mon", "tuesday|tue|tues", "wednesday|wed", "thursday|thu|thur|thurs", "friday|fri",
       "saturday|sat", "sunday|sun"},
      {"january|jan", "february|feb", "march|mar", "april|apr", "may", "june|jun", "july|jul", "august|aug",
       "september|sep|sept", "october|oct", "november|nov", "december|dec"}};
  return all;
}

bool holds(std::string_view alternatives, std::string_view word) {
  while (!alternatives.empty()) {
    const std::size_t bar = std::min(alternatives.find('|'), alternatives.size());
    if (alternatives.substr(0, bar) == word) return true;
    alternatives.remove_prefix(std::min(bar + 1, alternatives.size()));
  }
  return false;
}

std::optional<double> place_in_list(const Words& list, std::string_view word) {
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (holds(list[k], word)) return static_cast<double>(k);
  }
  return std::nullopt;
}

/// 1st, 2nd, 23rd.
std::optional<double> place_by_count(std::string_view word) {
  if (word.size() < 3) return std::nullopt;
  const std::string_view end = word.substr(word.size() - 2);
  word.remove_suffix(2);
  if (end != "st" && end != "nd" && end != "rd" && end != "th") return std::nullopt;
  if (!std::ranges::all_of(word, is_digit) || word.size() > 4) return std::nullopt;
  return parse_number(word);
}

/// The middle of a range in a scale where order is all that counts: <5, <=5, under 5, 5-10, 5 to 10, >10, 10+, over 10.
std::optional<double> place_of_range(std::string_view word, bool& is_range) {
  const auto bound = [](std::string_view text) -> std::optional<double> {
    text = trim(text);
    if (text.empty() || !is_digit(text.front())) return std::nullopt;
    return parse_number(text);
  };
  constexpr double little = 1e-6;
  for (const std::string_view less : {"<=", "<", "under ", "below ", "up to ", "less than "}) {
    if (!word.starts_with(less)) continue;
    const auto high = bound(word.substr(less.size()));
    is_range = true;
    return high ? std::optional(*high - little * std::max(1.0, *high)) : std::nullopt;
  }
  for (const std::string_view more : {">=", ">", "over ", "above ", "more than "}) {
    if (!word.starts_with(more)) continue;
    const auto low = bound(word.substr(more.size()));
    is_range = true;
    return low ? std::optional(*low + little * std::max(1.0, *low)) : std::nullopt;
  }
  if (word.ends_with('+')) {
    const auto low = bound(word.substr(0, word.size() - 1));
    is_range = true;
    return low ? std::optional(*low + little * std::max(1.0, *low)) : std::nullopt;
  }
  for (const std::string_view between : {" to ", "-"}) {
    const std::size_t at = word.find(between);
    if (at == std::string_view::npos || at == 0) continue;
    const auto low = bound(word.substr(0, at));
    const auto high = bound(word.substr(at + between.size()));
    if (!low || !high || *low >= *high) return std::nullopt;
    is_range = true;
    return (*low + *high) / 2;
  }
  return bound(word);
}

template <class Place>
std::vector<std::string> sorted_by(std::span<const std::string> words, Place place) {
  std::vector<std::pair<double, std::string>> placed;
  for (const std::string& word : words) {
    const std::optional<double> at = place(word);
    if (!at) return {};
    placed.emplace_back(*at, word);
  }
  std::ranges::sort(placed);
  const bool tie =
      std::ranges::adjacent_find(placed, {}, [](const auto& one) { return one.first; }) != placed.end();
  if (tie) return {};  // "mon" and "monday": whoever wrote both meant something else, or must tidy up first
  std::vector<std::string> order;
  for (auto& [at, word] : placed) order.push_back(std::move(word));
  return order;
}

}  // namespace

std::string plain_words(std::string_view text) {
  std::string plain;
  for (const char c : lowercase(trim(text))) {
    const bool blank = c == ' ' || c == '_' || c == '\t';
    if (blank && (plain.empty() || plain.back() == ' ')) continue;
    plain += blank ? ' ' : c;
  }
  while (plain.ends_with(' ')) plain.pop_back();
  return plain;
}

std::vector<std::string> known_order(std::span<const std::string> texts) {
  std::vector<std::string> words;
  for (const std::string& text : texts) words.push_back(plain_words(text));
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  if (words.size() < 3) return {};
  for (const Words& list : lists()) {
    if (auto order = sorted_by(words, [&](std::string_view word) { return place_in_list(list, word); });
        !order.empty())
      return order;
  }
  if (auto order = sorted_by(words, place_by_count); !order.empty()) return order;
  std::size_t ranges = 0;
  auto order = sorted_by(words, [&](std::string_view word) {
    bool is_range = false;
    const auto at = place_of_range(word, is_range);
    ranges += is_range ? 1 : 0;
    return at;
  });
  return ranges >= 2 ? order : std::vector<std::string>();
}

}  // namespace coppice
