//===- DrawnBatch.h - A batch and its sample --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seeds of a step and the neighbourhood that is drawn for them: on a thread of its own while other steps run, or
// when it is waited for. What is drawn is the same.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_DRAWNBATCH_H
#define GNN_SAMPLE_DRAWNBATCH_H

#include "runtime/src/sample/PagedRows.h"
#include "runtime/src/sample/Sampler.h"

#include <future>

namespace gnn::rt {

/// What a step is over.
struct Seeds {
  std::vector<int64_t> rows{};   // of the type that the loss is over; none if it is over
  Pairs pairs{};                 // these, in original ids,
  std::vector<double> targets{}; // of which 1 says that there is a link
};

Pairs truePairs(const Seeds &seeds);

class DrawnBatch {
public:
  /// Arguments as of Neighbourhood; the sampler is copied.
  DrawnBatch(const Library &library, const Binding &binding, const std::vector<const gnn_program_t *> &programs,
             const Sampler &sampler);

  /// Batches that are begun from now on have their rows of these tables, too.
  void readFrom(std::shared_ptr<PagedRows> tables) { paged = std::move(tables); }

  /// Takes other seeds, and the key of their step.
  void begin(uint64_t stepKey, Seeds seeds, bool onThread);
  /// Whether it was begun for a step and not taken.
  bool isOf(uint64_t stepKey) const { return drawn.valid() && key == stepKey; }
  const Seeds &seeds() const { return given; }
  /// Waits, and throws what went wrong. Then the caller may take the neighbourhood and leave another of the program.
  std::unique_ptr<Neighbourhood> &take();
  /// Then, until it begins again: the rows of a table that it read.
  void *rowsOf(uint32_t tensor) { return rows.of(tensor); }

private:
  void draw();

  const Binding &binding;
  Sampler sampler;
  TargetEdges targetEdges;
  std::unique_ptr<Neighbourhood> around;
  uint64_t key = 0;
  Seeds given;
  std::shared_ptr<PagedRows> paged; // may be null
  BatchRows rows;
  std::future<void> drawn; // last: what it works on outlives it
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_DRAWNBATCH_H
