#pragma once

// Included before everything else in a build of mutants: tells the mistakes that the sources contain which of them is made.
extern "C" int coppice_mutant;                      // its number, from the environment; -1: none
extern "C" unsigned char* coppice_mutants_reached;  // a byte for each: 1 once its place was reached

namespace coppice_mutants {

// What the compiler computes is not a place of a mutant.
inline constexpr bool on(int number) {
  if (__builtin_is_constant_evaluated()) return false;
  coppice_mutants_reached[number] = 1;
  return coppice_mutant == number;
}

}  // namespace coppice_mutants
