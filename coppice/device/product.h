#pragma once

#include "coppice/core/choices.h"
#include "coppice/core/matrix.h"

#include <cstdint>
#include <string>

namespace coppice {

enum class Op : std::uint8_t { plain, transposed };

/// c = op(a) * op(b), computed by the calling thread alone: the bits of c depend on shapes and values,
/// nothing else. Double precision is for checks, float for training.
///
/// Float products come from a library that other parts of the program may use too. What is left as it was: the number of
/// OpenMP threads of every thread. What holds for the whole process from the first product on: oneDNN uses no AMX unless
/// ONEDNN_MAX_CPU_ISA is set (a program that wants that limit elsewhere sets it before); a CBLAS that is OpenBLAS
/// computes each product on one thread; a bf16 product asks the system for AMX's registers where there are any.
void product(Op op_a, View<const float> a, Op op_b, View<const float> b, View<float> c);
void product(Op op_a, View<const double> a, Op op_b, View<const double> b, View<double> c);

/// Float products are the library's, or for a thread that computes portably chains, which are rounded the same on every processor
/// (cpu/product_chains.h).
void product_of_library(Op op_a, View<const float> a, Op op_b, View<const float> b, View<float> c);
void product_of_chains(Op op_a, View<const float> a, Op op_b, View<const float> b, View<float> c);

/// The same with a and b rounded to bf16 (8 significant bits), sums in float: twice as fast where the processor
/// has instructions for it, which bf16_works() tells; elsewhere it is the float product.
void product_bf16(Op op_a, View<const float> a, Op op_b, View<const float> b, View<float> c);
bool bf16_works();
/// Of portable arithmetic: chains of rounded numbers on every processor, by its instructions for bf16 where these come to the same bits.
void product_bf16_of_chains(Op op_a, View<const float> a, Op op_b, View<const float> b, View<float> c);

/// In a thread of ours, once: its products need not look again whether OpenMP would give them other threads.
void keep_products_here();

/// Makes ready what products need, once for the process, while there is memory and no other thread that takes some. Where
/// there is not enough, products will say so.
void prepare_products();

/// The same in that precision; processors lack tf32, and double is never rounded.
inline void product(Precision precision, Op op_a, View<const float> a, Op op_b, View<const float> b,
                    View<float> c) {
  precision == Precision::bf16 ? product_bf16(op_a, a, op_b, b, c) : product(op_a, a, op_b, b, c);
}
inline void product(Precision, Op op_a, View<const double> a, Op op_b, View<const double> b, View<double> c) {
  product(op_a, a, op_b, b, c);
}
/// A sentence when products can't be computed in that precision and are in float32; empty when all is well.
std::string precision_warning(Precision precision);

/// The library that computes float products, for `coppice --version`.
std::string product_library();

/// The same, and for which instructions it and our own loops are compiled: products and sums are rounded the same where this is
/// the same. Of a thread that computes portably: the same text everywhere.
std::string product_kernels();
std::string library_kernels();

/// A sentence when the library was built for, or has chosen, a processor far below this one; empty when all
/// is well.
std::string product_warning();

}  // namespace coppice
