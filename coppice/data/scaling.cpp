#include "coppice/data/scaling.h"

#include <cmath>

namespace coppice {

namespace {

/// 1/deviation, or 0 where there is none to speak of.
double inverse_deviation(double variance) {
  const double factor = 1 / std::sqrt(variance);
  return std::isfinite(static_cast<float>(factor)) ? factor : 0;
}

void append(Encoding& encoding, double offset, double factor) {
  encoding.offset.push_back(static_cast<float>(offset));
  encoding.factor.push_back(static_cast<float>(factor));
}

void scale_column(Encoding& encoding, const InputColumn& column, std::span<const Moments> moments) {
  if (column.kind == ColumnKind::number) {
    append(encoding, moments[0].mean, inverse_deviation(moments[0].variance));
    if (column.indicator) append(encoding, moments[1].mean, moments[1].variance > 0 ? 1 : 0);
    return;
  }
  double total = 0;
  for (const Moments& input : moments) total += input.variance;
  for (const Moments& input : moments) {
    append(encoding, input.mean, input.variance > 0 ? inverse_deviation(total) : 0);
  }
}

/// The moments of all entries taken together.
Moments pooled(std::span<const Moments> moments) {
  const auto count = static_cast<double>(moments.size());
  Moments all;
  for (const Moments& input : moments) all.mean += input.mean / count;
  for (const Moments& input : moments) {
    const double shift = input.mean - all.mean;
    all.variance += (input.variance + shift * shift) / count;
  }
  return all;
}

/// A number that never varied keeps the common scale (a border pixel is as dark as any other pixel); a
/// category that never occurred has no trained weights and stays off.
void scale_alike(Encoding& encoding, const InputColumn& column, std::span<const Moments> moments,
                 double offset, double factor) {
  for (const Moments& input : moments) {
    const bool used = column.kind == ColumnKind::number || input.variance > 0;
    append(encoding, offset, used ? factor : 0);
  }
}

}  // namespace

void set_scaling(Encoding& encoding, std::span<const Moments> moments) {
  encoding.offset.clear();
  encoding.factor.clear();
  const Moments all = encoding.scaling == Scaling::global ? pooled(moments) : Moments{0, 1};
  std::size_t first = 0;
  for (const InputColumn& column : encoding.columns) {
    const auto own = moments.subspan(first, column.width());
    if (encoding.scaling == Scaling::column) {
      scale_column(encoding, column, own);
    } else {
      scale_alike(encoding, column, own, all.mean, inverse_deviation(all.variance));
    }
    first += own.size();
  }
}

}  // namespace coppice
