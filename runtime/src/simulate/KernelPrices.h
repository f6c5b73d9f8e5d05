//===- KernelPrices.h - What steps take on a device of stated rates *- C++ -*-//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SIMULATE_KERNELPRICES_H
#define GNN_SIMULATE_KERNELPRICES_H

#include "runtime/src/engine/Engine.h"
#include "runtime/src/links/Topology.h"

namespace gnn::rt {

class KernelPrices {
public:
  /// Rows have the sizes that they have on `engine`. The library and the program must outlive this.
  KernelPrices(const Library &library, const Dims &dims, const gnn_program_t &program, const Engine &engine,
               const DeviceKind &kind);

  /// Seconds of a call of a step over so many rows and edges: the longer of memory traffic and arithmetic. Each edge
  /// reads the row of its other end without any cache, in whole sectors of 32 bytes.
  double seconds(uint32_t step, uint64_t rows, uint64_t edges) const;

private:
  struct Price {
    double whole, ofRow, ofEdge; // bytes
    double operations;           // of a row
  };

  std::vector<Price> prices; // [steps]
  const DeviceKind kind;
};

} // namespace gnn::rt

#endif // GNN_SIMULATE_KERNELPRICES_H
