//===- Sampler.h - Which edges a batch sees ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws the edges of a batch's rows, uniformly and without replacement. A draw depends on seed, step, relation,
// direction, the vertex's original id, its number of edges and the fan-out, and on nothing else: not on threads, nor on
// the order in which vertices are met (docs/abi.md, "Random numbers").
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_SAMPLER_H
#define GNN_SAMPLE_SAMPLER_H

#include "runtime/src/exec/Neighbourhood.h"
#include "runtime/src/sample/FanOuts.h"

namespace gnn::rt {

class Sampler : public EdgeChooser {
public:
  /// Throws GNN_ERROR_ARGUMENT unless the fan-outs are those of the program's sweeps.
  Sampler(const Library &library, const gnn_program_t &program, const FanOuts &fanOuts);

  /// Before each batch; the key of its step (Random.h).
  void begin(uint64_t stepKey) { key = stepKey; }

  int64_t most(uint32_t relation, int32_t depth) const override {
    return limits[relation].empty() ? FanOuts::all : limits[relation][size_t(depth)];
  }
  void choose(uint32_t relation, uint32_t direction, int64_t vertex, int64_t degree, int64_t most,
              int64_t *chosen) const override;

private:
  std::vector<std::vector<int64_t>> limits; // [relations][depths], none of sparse inputs
  uint64_t key = 0;
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_SAMPLER_H
