#pragma once

#include "coppice/core/bytes.h"
#include "coppice/core/file.h"
#include "coppice/model/parts.h"

#include "tests/support.h"

#include <random>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coppice::test {

/// Random weights and plausible CapNorm numbers.
inline void fill(ModelParts& model, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  for (std::size_t l = 0; l < model.network.layers.size(); ++l) {
    Matrix<float>& weights = model.network.layers[l].weights;
    for (std::size_t j = 0; j < weights.rows(); ++j) {
      for (float& w : weights.row(j)) w = normal(random);
    }
    for (float& m : model.statistics.mean[l]) m = normal(random);
    for (float& d : model.statistics.divisor[l]) d = 1 + std::abs(normal(random));
    if (!model.network.capped(l)) {
      std::ranges::fill(model.statistics.mean[l], 0.0F);
      std::ranges::fill(model.statistics.divisor[l], 1.0F);
    }
  }
  for (float& v : model.encoding.offset) v = normal(random);
  for (float& v : model.encoding.factor) v = normal(random);
}

/// A model with a number column (with indicator), a text column, ids and three classes: 5 network inputs.
inline ModelParts small_model(std::vector<std::size_t> hidden = {4, 3}, unsigned seed = 1) {
  ModelParts model;
  model.encoding.scaling = Scaling::standard;
  model.encoding.ids = {"id"};
  model.encoding.columns = {
      {.name = "age", .kind = ColumnKind::number, .fill = 3.5F, .indicator = true, .categories = {}},
      {.name = "colour \"x\"",
       .kind = ColumnKind::text,
       .fill = 0,
       .indicator = false,
       .categories = {"", "gr\u00fcn"}}};
  model.encoding.target = {.name = "kind", .classes = {"a", "b", "c,d"}, .mean = 0, .deviation = 1};
  const std::size_t inputs = 5;
  model.encoding.offset.resize(inputs);
  model.encoding.factor.resize(inputs);
  std::size_t below = inputs;
  hidden.push_back(3);
  for (const std::size_t units : hidden) {
    model.network.layers.push_back({Matrix<float>(units, below), std::vector<std::uint32_t>(units)});
    for (std::size_t j = 0; j < units; ++j)
      model.network.layers.back().units[j] = static_cast<std::uint32_t>(j);
    model.statistics.mean.emplace_back(units);
    model.statistics.divisor.emplace_back(units);
    below = units;
  }
  model.network.offset = {-0.5F, -1.5F, -2.0F};
  model.temperature = 0.625;
  model.origin = {.version = "0.1.0",
                  .optimizer = "adarad",
                  .lambda = 3e-4,
                  .seed = 12345678901234ULL,
                  .epochs = 77,
                  .phase = "done",
                  .train_rows = 100,
                  .validation_rows = 20,
                  .train_loss = 0.31,
                  .validation_error = 0.1,
                  .test_error = 0.125};
  fill(model, seed);
  return model;
}

/// Batch normalisation with free parameters on the hidden layers.
inline void make_affine(ModelParts& model, unsigned seed = 5) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  model.network.norm = Norm::batchnorm_affine;
  model.network.output_capnorm = false;
  for (std::size_t l = 0; l + 1 < model.network.layers.size(); ++l) {
    Matrix<float>& affine = model.network.layers[l].affine;
    affine = Matrix<float>(model.network.layers[l].weights.rows(), 2);
    for (std::size_t j = 0; j < affine.rows(); ++j) {
      for (float& value : affine.row(j)) value = normal(random);
    }
  }
}

/// A model file with this header and so many floats after it, its checksum right.
inline std::string file_with(const nlohmann::json& header, std::size_t values,
                             std::uint64_t header_size = 0) {
  const std::string text = header.dump();
  ByteWriter body;
  body.put<std::uint64_t>(header_size == 0 ? text.size() : header_size);
  body.bytes() += text;
  for (std::size_t i = 0; i < values; ++i) body.put(1.0F);
  ByteWriter file;
  file.bytes() += "COPPICE\n";
  file.put<std::uint32_t>(1);
  file.put(checksum(body.bytes()));
  return file.bytes() + body.bytes();
}

/// The number column of the small model gets two bins.
inline ModelParts model_with_bins() {
  ModelParts model = small_model();
  model.encoding.scaling = Scaling::column;
  model.encoding.columns[0].squash = {.median = 2.5F, .factor = 0.1F};
  model.encoding.columns[0].edges = {-1, 0.1F, 1e10F};
  model.encoding.offset.resize(7);
  model.encoding.factor.resize(7);
  model.network.layers[0].weights = Matrix<float>(4, 7);
  fill(model, 3);
  return model;
}

/// Three nets of one, two and two hidden layers, the second without bins.
inline ModelParts several_nets() {
  ModelParts model = model_with_bins();
  ModelParts plain = small_model({5}, 8);
  ModelParts other = model_with_bins();
  fill(other, 9);
  model.others.push_back({plain.network, plain.statistics, true});
  model.others.push_back({other.network, other.statistics, false});
  return model;
}

}  // namespace coppice::test
