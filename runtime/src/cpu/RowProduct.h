//===- RowProduct.h - Products whose rows stand alone -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row of what oneDNN multiplies may round otherwise when there are other rows beside it. Here each number is one sum
// over k in order, however many rows there are: so rows that were computed at different times, in different company,
// have the same bits.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_ROWPRODUCT_H
#define GNN_CPU_ROWPRODUCT_H

#include <cstdint>
#include <string>

namespace gnn::rt {

/// C [m, n] = A [m, k] B in f32, all row-major, where B is [k, n], or [n, k] with `transposeB`. `isa`: the name of the
/// instruction set that runs (gnn_isa_t::name).
void multiplyRowsAlone(const std::string &isa, bool transposeB, int64_t m, int64_t n, int64_t k, const float *a,
                       const float *b, float *c);

} // namespace gnn::rt

#endif // GNN_CPU_ROWPRODUCT_H
