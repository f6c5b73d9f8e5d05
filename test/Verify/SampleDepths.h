//===- SampleDepths.h - What the law of samples says of depths --*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far from its seeds a training step over a sample may read, and which vertices its totals go over
// (docs/sampling.md), found in the checked model and by breadth-first search. Nothing is shared with the compiler's
// StepDepths and RowSupport, or with the runtime's samples.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_SAMPLEDEPTHS_H
#define GNNC_TEST_VERIFY_SAMPLEDEPTHS_H

#include "test/Verify/Scenario.h"

namespace gnnc::verify {

class SampleDepths {
public:
  /// For a training step of a model whose loss is of vertices.
  explicit SampleDepths(const CheckedModel &model);

  /// Steps along edges from the seeds to the vertices that inference reads for them.
  int reach() const { return deepest; }
  /// OracleBindings::totalVertices of a batch of all rows that the loss is over. Edges are those of `bindings.isSeen`.
  std::map<unsigned, std::vector<int64_t>> totalVertices(const Scenario &scenario) const;
  /// [vertex types][vertices] steps along edges from the seeds; -1 for vertices that no way leads to.
  std::vector<std::vector<int>> distances(const Scenario &scenario) const;

private:
  struct Ends { // depths of the ends of edges; of vertices twice the same; -1: not read
    int source = -1, destination = -1;
  };
  /// Edges of a relation that vertices at one end read, up to a depth.
  struct Way {
    unsigned relation;
    End rows;
    int depth;
  };

  void visit(unsigned index);
  void read(unsigned value, Ends ends);
  void readEdges(const Value &value, int rows);

  const CheckedModel &model;
  std::vector<Ends> depths; // [values] the deepest at which each is read
  std::vector<Way> ways;
  int deepest = 0;
};

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_SAMPLEDEPTHS_H
