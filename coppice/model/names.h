#pragma once

#include "coppice/data/encoding.h"
#include "coppice/device/activation.h"
#include "coppice/device/gpu.h"
#include "coppice/device/product.h"
#include "coppice/network/network.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

// The words that files and flags use for enumerators, in the enumerators' order.
template <class E>
constexpr std::array<std::string_view, 0> names_of{};
template <>
constexpr std::array<std::string_view, 5> names_of<Activation>{"relu", "leaky-relu", "abs", "tanh",
                                                               "identity"};
template <>
constexpr std::array<std::string_view, 3> names_of<Precision>{"fp32", "tf32", "bf16"};
template <>
constexpr std::array<std::string_view, 4> names_of<Norm>{"capnorm", "batchnorm", "batchnorm-affine", "none"};
template <>
constexpr std::array<std::string_view, 2> names_of<Device>{"cpu", "cuda"};
template <>
constexpr std::array<std::string_view, 2> names_of<Task>{"classification", "regression"};
template <>
constexpr std::array<std::string_view, 3> names_of<Scaling>{"column", "global", "none"};
template <>
constexpr std::array<std::string_view, 5> names_of<Format>{"csv", "idx", "libsvm", "arff", "amat"};
template <>
constexpr std::array<std::string_view, 2> names_of<ColumnKind>{"number", "text"};

template <class E>
std::string name_of(E value) {
  return std::string(names_of<E>.at(static_cast<std::size_t>(value)));
}

template <class E>
std::optional<E> from_name(std::string_view name) {
  for (std::size_t i = 0; i < names_of<E>.size(); ++i) {
    if (names_of<E>[i] == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

/// All words for E, for help texts and messages.
template <class E>
std::vector<std::string> all_names() {
  return {names_of<E>.begin(), names_of<E>.end()};
}

}  // namespace coppice
