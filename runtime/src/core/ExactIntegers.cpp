//===- ExactIntegers.cpp - Integers that become reals ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/ExactIntegers.h"
#include "runtime/src/core/Guard.h"

using namespace gnn::rt;

namespace {

/// float(value) is at most 2^63, which a double holds and an int64_t does not.
template <class Integer> bool isExact(Integer value) {
  const double rounded = double(float(value));
  return rounded < 0x1p63 && int64_t(rounded) == int64_t(value);
}

template <class Integer> void requireExact(const Tensor &table, const std::string &what) {
  const Span<const Integer> values = table.values<Integer>();
  for (size_t i = 0; i < values.size(); ++i)
    require(isExact(values[i]), GNN_ERROR_DATA, what, ": element ", i, " is ", values[i],
            ", which f32 would round: declare the input as i64, or save the array as reals");
}

} // namespace

void gnn::rt::requireExactAsF32(const Tensor &table, const std::string &what) {
  if (table.element() == GNN_I64)
    requireExact<int64_t>(table, what);
  else if (table.element() == GNN_I32)
    requireExact<int32_t>(table, what);
}
