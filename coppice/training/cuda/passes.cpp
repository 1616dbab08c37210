#include "coppice/training/cuda/passes.h"

#include "coppice/device/cuda/batchnorm.h"

#include <algorithm>
#include <limits>

namespace coppice::cuda {

Passes::Passes(const Nets& nets, const Network<float>& like, Precision precision, const BatchSizes& batches,
               std::size_t wide, std::size_t validation)
    : nets_(&nets),
      norm_(like.norm),
      output_capnorm_(like.output_capnorm),
      activation_(like.activation),
      precision_(precision),
      batch_(padded(batches.most, line)),
      wide_(padded(wide, line)),
      training_load_(nets.load(static_cast<int>(batches.least))),
      validation_load_(nets.load(static_cast<int>(validation))),
      buffers_(nets.layers()) {
  for (std::size_t l = 0; l < buffers_.size(); ++l) {
    const std::size_t units = nets.nets() * static_cast<std::size_t>(nets.capacity(l));
    LayerBuffers& buffers = buffers_[l];
    buffers.y = Array<float>(units * std::max(batch_, wide_));
    if (l + 1 < buffers_.size()) buffers.x = Array<float>(units * std::max(batch_, wide_));
    buffers.gradient = Array<float>(units * batch_);
    buffers.mean = Array<float>(units);
    buffers.divisor = Array<float>(units);
    if (nets.layer(l).kinks != nullptr) buffers.deviation = Array<float>(units);
    const int longest = l == 0 ? static_cast<int>(like.inputs()) : std::numeric_limits<int>::max();
    buffers.cut = cut_for(training_load_, longest);
    if (buffers.cut.most > 1) {
      buffers.z_parts = Array<float>(static_cast<std::size_t>(buffers.cut.most) * units * batch_);
    }
  }
}

bool Passes::expect_widths(std::span<const int> least) {
  bool changed = false;
  for (std::size_t l = 0; l < buffers_.size(); ++l) {
    LayerBuffers& buffers = buffers_[l];
    const FanIns& layer = nets_->layer(l);
    const int parts = parts_of(buffers.cut, least[l], training_load_.columns, layer.inputs.most);
    const int gradient_parts =
        parts_of(layer.cut, least[l], l == 0 ? layer.inputs.most : least[l - 1], static_cast<int>(batch_));
    changed = changed || parts != buffers.parts || gradient_parts != buffers.gradient_parts;
    buffers.parts = parts;
    buffers.gradient_parts = gradient_parts;
  }
  return changed;
}

float* Passes::output_of(std::size_t layer) const {
  return layer + 1 < buffers_.size() ? buffers_[layer].x.data() : buffers_[layer].y.data();
}

Matrices Passes::activations(const Array<float>& of, std::size_t layer, std::size_t samples) const {
  return {.data = of.data(),
          .net_stride = static_cast<std::size_t>(nets_->capacity(layer)) * samples,
          .stride = static_cast<int>(samples)};
}

Product Passes::linear(std::size_t layer, const Rows& rows, std::size_t samples, float* to) const {
  const FanIns& fan_ins = nets_->layer(layer);
  Product p{.a = {.data = fan_ins.weights, .net_stride = fan_ins.net_stride, .stride = fan_ins.stride}};
  if (layer == 0) {
    p.op_b = Op::transposed;
    p.b = {.data = rows.data->inputs(), .net_stride = 0, .stride = rows.data->stride(), .pick = rows.pick};
  } else {
    p.b = activations(buffers_[layer - 1].x, layer - 1, samples);
  }
  p.c = to;
  p.c_net_stride = static_cast<std::size_t>(nets_->capacity(layer)) * samples;
  p.c_stride = static_cast<int>(samples);
  p.m = fan_ins.units;
  p.n = rows.count;
  p.k = fan_ins.inputs;
  return p;
}

UnitRows Passes::unit_rows(std::size_t layer, const Rows& rows, std::size_t samples) const {
  const LayerBuffers& buffers = buffers_[layer];
  const bool output = layer + 1 == buffers_.size();
  return {.z = buffers.y.data(),
          .x = output_of(layer),
          .mean = buffers.mean.data(),
          .divisor = buffers.divisor.data(),
          .net_stride = static_cast<std::size_t>(nets_->capacity(layer)) * samples,
          .stride = static_cast<int>(samples),
          .unit_stride = nets_->layer(layer).unit_stride,
          .units = nets_->layer(layer).units,
          .samples = rows.count,
          .weights = weights(rows, samples),
          .cap = output ? output_capnorm_ : norm_ == Norm::capnorm,
          .activation = output ? Activation::identity : activation_,
          .kinks = nets_->layer(layer).kinks,
          .deviation = buffers.deviation.data(),
          .zero_learns = zero_units_learn_,
          .affine = nets_->layer(layer).affine.values,
          .affine_gradient = nets_->layer(layer).affine.gradient};
}

Scores Passes::scores(const float* from, const Rows& rows, std::size_t samples) const {
  const std::size_t last = buffers_.size() - 1;
  return {.scores = from,
          .net_stride = static_cast<std::size_t>(nets_->capacity(last)) * samples,
          .stride = static_cast<int>(samples),
          .outputs = nets_->capacity(last),
          .offset = offset_,
          .labels = rows.data->labels(),
          .targets = rows.data->targets(),
          .pick = rows.pick,
          .samples = rows.count,
          .weights = weights(rows, samples)};
}

SampleWeights Passes::weights(const Rows& rows, std::size_t samples) const {
  if (rows.data->weights() == nullptr) return {};
  return {.all = weights_.data(), .stride = samples};
}

void Passes::gather_weights(const Rows& rows, std::size_t samples, const Stream& stream) const {
  if (rows.data->weights() == nullptr) return;
  cuda::gather_weights(rows.data->weights(), rows.pick, rows.count, weights_.data(), samples, nets_->nets(),
                       stream);
}

void Passes::forward(const Rows& rows, std::size_t samples, bool training, const Stream& stream) const {
  gather_weights(rows, samples, stream);
  for (std::size_t l = 0; l < buffers_.size(); ++l) {
    Product p = linear(l, rows, samples, buffers_[l].y.data());
    UnitRows units = unit_rows(l, rows, samples);
    p.load = training ? training_load_ : validation_load_;
    if (training && buffers_[l].cut.most > 1) {
      units.z_parts = p.c = buffers_[l].z_parts.data();
      units.cut = p.cut = buffers_[l].cut;
      p.parts = buffers_[l].parts;
      units.inputs = p.k;
      units.part_stride = p.part_stride = nets_->nets() * p.c_net_stride;
    }
    product(p, nets_->nets(), precision_, stream);
    const auto normalise = batch_normed(l) ? batchnorm_forward : capnorm_forward;
    normalise(units, nets_->nets(), stream);
  }
}

void Passes::weight_gradient(std::size_t layer, const Rows& rows, const Stream& stream) const {
  const FanIns& fan_ins = nets_->layer(layer);
  Product p{.a = activations(buffers_[layer].gradient, layer, batch_)};
  if (layer == 0) {
    p.b = {.data = rows.data->inputs(), .net_stride = 0, .stride = rows.data->stride(), .pick = rows.pick};
  } else {
    p.op_b = Op::transposed;
    p.b = activations(buffers_[layer - 1].x, layer - 1, batch_);
  }
  p.c = fan_ins.gradient;
  p.c_net_stride = fan_ins.net_stride;
  p.c_stride = fan_ins.stride;
  p.load = nets_->gradient_load(layer);
  p.cut = fan_ins.cut;
  p.parts = buffers_[layer].gradient_parts;
  p.part_stride = fan_ins.part_stride;
  p.m = fan_ins.units;
  p.n = fan_ins.inputs;
  p.k = rows.count;
  product(p, nets_->nets(), precision_, stream);
}

void Passes::gradient(const Rows& rows, LossPart* parts, const Stream& stream, const Stream& beside) const {
  forward(rows, batch_, true, stream);
  const std::size_t last = buffers_.size() - 1;
  Scores outputs = scores(buffers_[last].y.data(), rows, batch_);
  outputs.smoothing = label_smoothing_;
  loss(outputs, scale_, buffers_[last].gradient.data(), parts, nets_->nets(), stream);
  for (std::size_t l = buffers_.size(); l-- > 0;) {
    float* gradient = buffers_[l].gradient.data();
    if (l < last) {
      const FanIns& above = nets_->layer(l + 1);
      product({.op_a = Op::transposed,
               .a = {.data = above.weights, .net_stride = above.net_stride, .stride = above.stride},
               .b = activations(buffers_[l + 1].gradient, l + 1, batch_),
               .c = gradient,
               .c_net_stride = static_cast<std::size_t>(nets_->capacity(l)) * batch_,
               .c_stride = static_cast<int>(batch_),
               .m = nets_->layer(l).units,
               .n = rows.count,
               .k = above.units},
              nets_->nets(), precision_, stream);
    }
    const auto back = batch_normed(l) ? batchnorm_backward : capnorm_backward;
    back(unit_rows(l, rows, batch_), gradient, nets_->nets(), stream);
    if (l > 0) {
      beside.after(stream);
      weight_gradient(l, rows, beside);
    } else {
      weight_gradient(l, rows, stream);
    }
  }
  stream.after(beside);
}

void Passes::measure_statistics(const Rows& rows, const Stream& stream) const {
  forward(rows, wide_, false, stream);
}

void Passes::evaluate(const Rows& rows, LossPart* parts, const Stream& stream) const {
  gather_weights(rows, wide_, stream);
  for (std::size_t l = 0; l < buffers_.size(); ++l) {
    Product p = linear(l, rows, wide_, output_of(l));
    const UnitRows units = unit_rows(l, rows, wide_);
    p.load = validation_load_;
    p.mean = units.mean;
    p.divisor = units.divisor;
    p.affine = units.affine;
    p.unit_stride = units.unit_stride;
    p.activation = units.activation;
    product(p, nets_->nets(), precision_, stream);
  }
  loss(scores(buffers_.back().y.data(), rows, wide_), nullptr, nullptr, parts, nets_->nets(), stream);
}

void Passes::keep_scores(const Rows& rows, float* to, std::size_t stride, std::size_t from,
                         const Stream& stream) const {
  cuda::keep_scores(scores(buffers_.back().y.data(), rows, wide_), to, stride, from, nets_->nets(), stream);
}

}  // namespace coppice::cuda
