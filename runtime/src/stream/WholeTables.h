//===- WholeTables.h - Tensors that are whole in an engine ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_WHOLETABLES_H
#define GNN_STREAM_WHOLETABLES_H

#include "runtime/src/stream/StreamLayout.h"

namespace gnn::rt {

/// Where the tensors of a streamed program lie in the memory of an engine that are not spilled: what is bound, what a
/// caller has placed, results, and what steps make for each other in the memory of a run.
class WholeTables {
public:
  /// Allocates the results that are not spilled. Engine and layout must outlive this.
  WholeTables(Engine &engine, const StreamLayout &layout);

  void place(uint32_t tensor, void *where) { places[tensor] = static_cast<char *>(where); }
  /// [program results] those that are in the memory of the engine; others are none.
  const std::vector<Tensor> &results() const { return resultTensors; }
  /// [library tensors] null: it is bound, or it is spilled.
  const std::vector<char *> &placed() const { return places; }
  /// Where a tensor begins that is placed or bound.
  char *at(uint32_t tensor) const {
    return places[tensor] ? places[tensor] : static_cast<char *>(bound->table(tensor));
  }

private:
  const std::shared_ptr<ResidentTables> bound;
  std::vector<char *> places;
  std::vector<Tensor> resultTensors;
};

} // namespace gnn::rt

#endif // GNN_STREAM_WHOLETABLES_H
