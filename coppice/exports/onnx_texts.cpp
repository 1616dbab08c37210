#include "coppice/exports/onnx_texts.h"

#include "coppice/core/missing_spellings.h"
#include "coppice/data/orders.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <limits>
#include <utility>

namespace coppice {

namespace {

std::string capitalised(std::string word) {
  if (!word.empty()) word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
  return word;
}

std::string in_capitals(std::string word) {
  std::ranges::transform(word, word.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return word;
}

void add_new(std::vector<std::string>& texts, std::string text) {
  if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
}

}  // namespace

std::vector<std::string> onnx_texts(const std::vector<const Feature*>& of_column) {
  std::vector<std::string> texts;
  for (const Feature* feature : of_column) {
    if (feature->part == CellPart::category) texts = feature->categories;
  }
  for (const Feature* feature : of_column) {
    for (const std::string& word : feature->words) {
      add_new(texts, word);
      add_new(texts, capitalised(word));
      add_new(texts, in_capitals(word));
    }
  }
  return texts;
}

OnnxGraph::Name add_codes(OnnxGraph& graph, const std::vector<const Feature*>& of_column,
                          const OnnxGraph::Name& texts) {
  std::vector<std::string> keys = onnx_texts(of_column);
  const auto other = static_cast<std::int64_t>(keys.size());
  std::vector<std::int64_t> codes;
  for (std::int64_t code = 0; code < other; ++code) codes.push_back(code);
  const auto empty = std::ranges::find(keys, std::string());
  const std::int64_t missing = empty - keys.begin();
  for (std::string& word : missing_spellings()) {
    if (std::ranges::find(keys, word) != keys.end()) continue;
    keys.push_back(std::move(word));
    codes.push_back(missing);
  }
  return graph.node(
      "LabelEncoder", {texts},
      {{"keys_strings", std::move(keys)}, {"values_int64s", std::move(codes)}, {"default_int64", other}});
}

OnnxGraph::Name add_rank(OnnxGraph& graph, const std::vector<const Feature*>& of_column, const Feature& rank,
                         const OnnxGraph::Name& codes) {
  std::vector<float> ranks;
  for (const std::string& text : onnx_texts(of_column)) {
    const auto found = std::ranges::find(rank.words, plain_words(text));
    ranks.push_back(found == rank.words.end() ? std::numeric_limits<float>::quiet_NaN()
                                              : static_cast<float>(found - rank.words.begin()));
  }
  ranks.push_back(std::numeric_limits<float>::quiet_NaN());
  return graph.node("Gather", {graph.constant(ranks, {ranks.size()}), codes});
}

}  // namespace coppice
