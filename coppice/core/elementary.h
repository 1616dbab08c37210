#pragma once

#include "coppice/core/arithmetic.h"

#include <cmath>

// exp, log and their like. Those of the C library are rounded well, but not the same in every version, nor by the copies that it has for
// processors with and without fused multiply-adds. A thread that computes portably takes ours.
namespace coppice {

/// Made of additions, multiplications, divisions and roots alone, whose results the standard of floating-point numbers prescribes; off by a
/// few units in the last place at most.
namespace portable {
double exp(double x);
double log(double x);
double log10(double x);  ///< whole for whole powers of ten
double sin(double x);
double cos(double x);
double tanh(double x);
double pow(double x, double y);  ///< by multiplications alone where y is whole and small
}  // namespace portable

namespace elementary {
inline double exp(double x) {
  return computes_portably() ? portable::exp(x) : std::exp(x);
}
inline double log(double x) {
  return computes_portably() ? portable::log(x) : std::log(x);
}
inline double log10(double x) {
  return computes_portably() ? portable::log10(x) : std::log10(x);
}
inline double sin(double x) {
  return computes_portably() ? portable::sin(x) : std::sin(x);
}
inline double cos(double x) {
  return computes_portably() ? portable::cos(x) : std::cos(x);
}
inline double pow(double x, double y) {
  return computes_portably() ? portable::pow(x, y) : std::pow(x, y);
}
inline double hypot(double x, double y) {
  return computes_portably() ? std::sqrt(x * x + y * y) : std::hypot(x, y);
}
}  // namespace elementary

}  // namespace coppice
