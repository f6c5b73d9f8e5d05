//===- DegreeShares.cpp - How edges spread over vertices ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/DegreeShares.h"

#include <algorithm>

namespace gnn::rt {

DegreeShares::DegreeShares(int64_t count) : allEdges(double(count)) { classes[1] = {double(count), double(count)}; }

DegreeShares::DegreeShares(Span<const int64_t> offsets) {
  for (size_t i = 0; i + 1 < offsets.size(); ++i) {
    const auto degree = uint64_t(offsets[i + 1] - offsets[i]);
    const size_t bits = degree ? size_t(64 - __builtin_clzll(degree)) : 0;
    classes[bits].vertices += 1;
    classes[bits].edges += double(degree);
    allEdges += double(degree);
  }
}

double DegreeShares::ofHighest(double count) const {
  double edges = 0;
  for (size_t bits = classes.size(); bits-- > 1 && count > 0;) {
    const Class &found = classes[bits];
    if (found.vertices > 0)
      edges += found.edges * std::min(1.0, count / found.vertices);
    count -= found.vertices;
  }
  return allEdges > 0 ? edges / allEdges : 1;
}

} // namespace gnn::rt
