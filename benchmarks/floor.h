#pragma once

#include "coppice/device/product.h"

#include "benchmarks/workload.h"

#include <vector>

namespace coppice {

/// The matrix products of a training step and nothing else, each cut into one even share per thread.
class Floor {
 public:
  Floor(ThreadPool& pool, const Workload& work);
  void step();

 private:
  struct Product {
    Op op_a;
    Op op_b;
    Matrix<float> a;
    Matrix<float> b;
    Matrix<float> c;
  };
  void add(Op op_a, Op op_b, std::size_t rows, std::size_t cols, std::size_t inner);

  ThreadPool* pool_;
  std::vector<Product> products_;
};

}  // namespace coppice
