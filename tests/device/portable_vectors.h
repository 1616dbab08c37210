#pragma once

#include "coppice/device/processor.h"

#include <vector>

namespace coppice::test {

/// Portable arithmetic uses no more than these vectors while one lives.
class LimitedVectors {
 public:
  explicit LimitedVectors(Vectors most) { limit_portable_vectors(most); }
  ~LimitedVectors() { limit_portable_vectors(Vectors::avx512); }
  LimitedVectors(const LimitedVectors&) = delete;
  LimitedVectors& operator=(const LimitedVectors&) = delete;
};

/// What this processor has, the least first.
inline std::vector<Vectors> all_vectors() {
  std::vector<Vectors> all;
  for (const Vectors vectors : {Vectors::plain, Vectors::avx2, Vectors::avx512}) {
    if (vectors <= vectors_of_processor()) all.push_back(vectors);
  }
  return all;
}

}  // namespace coppice::test
