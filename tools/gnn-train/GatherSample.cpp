//===- GatherSample.cpp - How often rows read the same columns ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/GatherSample.h"

#include <algorithm>
#include <vector>

namespace gnn::train_tool {

using namespace rt;

namespace {

constexpr int64_t places = 16, edgesOfPlace = int64_t(1) << 18;

/// The highest bit of a number that is not 0.
size_t highestBit(uint64_t number) { return size_t(63 - __builtin_clzll(number)); }

} // namespace

GatherSample::GatherSample(const Csr &csr, int64_t numCols, const VertexOrder *order) : numCols(numCols) {
  reads.fill({});
  std::vector<uint8_t> seenAt(size_t(numCols), 0); // the last place whose rows have read a column
  for (int64_t place = 0; place < places; ++place) {
    uint64_t columns = 0; // that rows here have read
    int64_t edges = 0;
    for (int64_t row = csr.numRows() * place / places; row < csr.numRows() && edges < edgesOfPlace; ++row) {
      const int64_t from = order ? order->id[size_t(row)] : row;
      const int64_t end = std::min(csr.offsets[size_t(from) + 1], csr.offsets[size_t(from)] + edgesOfPlace - edges);
      for (int64_t i = csr.offsets[size_t(from)]; i < end; ++i) {
        uint8_t &last = seenAt[csr.cols[size_t(i)]];
        const bool isFresh = last != place + 1;
        last = uint8_t(place + 1);
        columns += isFresh;
        Reads &here = reads[highestBit(columns)];
        ++here.all;
        here.fresh += isFresh;
      }
      edges += csr.degree(from);
    }
  }
}

double GatherSample::fresh(double columns) const {
  if (columns >= double(numCols))
    return 0;
  size_t bits = highestBit(uint64_t(std::max(columns, 1.0)));
  while (bits > 0 && reads[bits].all == 0) // as far as the sample goes
    --bits;
  return reads[bits].all ? double(reads[bits].fresh) / double(reads[bits].all) : 0;
}

} // namespace gnn::train_tool
