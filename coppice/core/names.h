#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace coppice {

/// The words that files and flags use for the enumerators of E, in the enumerators' order: specialised beside each enum.
struct NoNames {};
template <class E>
constexpr NoNames names_of{};

/// An enum that has words. Asking another one for them does not compile.
template <class E>
concept Named = !std::is_same_v<std::remove_cv_t<decltype(names_of<E>)>, NoNames>;

template <Named E>
std::string name_of(E value) {
  return std::string(names_of<E>.at(static_cast<std::size_t>(value)));
}

template <Named E>
std::optional<E> from_name(std::string_view name) {
  for (std::size_t i = 0; i < names_of<E>.size(); ++i) {
    if (names_of<E>[i] == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

/// All words for E, for help texts and messages.
template <Named E>
std::vector<std::string> all_names() {
  return {names_of<E>.begin(), names_of<E>.end()};
}

}  // namespace coppice
