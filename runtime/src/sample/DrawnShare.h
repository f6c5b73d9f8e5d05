//===- DrawnShare.h - A share of a batch and its sample ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some seeds of a step and the neighbourhood that is drawn for them: on a thread of its own while others are run, or
// when it is waited for. What is drawn is the same.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_DRAWNSHARE_H
#define GNN_SAMPLE_DRAWNSHARE_H

#include "runtime/src/sample/PagedRows.h"
#include "runtime/src/sample/Sampler.h"
#include "runtime/src/sample/Shares.h"

#include <chrono>
#include <future>

namespace gnn::rt {

class SentBatch;

/// The seeds that a step is over.
struct Seeds {
  std::vector<int64_t> rows{};   // of the type that the loss is over; none if it is over
  Pairs pairs{};                 // these, in original ids,
  std::vector<double> targets{}; // 1 for true pairs, which come first, 0 for their negatives, in the same order

  /// Vertices, or true pairs.
  int64_t count() const;
  /// Some of them; true pairs with their part of the negatives.
  Seeds slice(const Shares::Range &range) const;
};

Pairs truePairs(const Seeds &seeds);

class DrawnShare {
public:
  /// Arguments as of Neighbourhood; the sampler is copied.
  DrawnShare(const Library &library, const Binding &binding, const std::vector<const gnn_program_t *> &programs,
             const Sampler &sampler, const Shares &shares);
  ~DrawnShare();

  /// Those that are begun from now on have their rows of these tables, too.
  void readFrom(std::shared_ptr<PagedRows> tables) { paged = std::move(tables); }

  /// The same: an engine draws what it can (Sampler::drawBy).
  void drawBy(std::unique_ptr<EdgeDraws> draws);
  /// Null: the processor draws all.
  EdgeDraws *draws() { return elsewhere.get(); }
  /// The same: packs them for an engine whose memory is apart.
  void sendBy(std::unique_ptr<SentBatch> batch);
  /// Null: its memory is not apart.
  SentBatch *sent() { return packing.get(); }

  /// Goes to another share, of the batch of the step with this key.
  void begin(uint64_t stepKey, std::shared_ptr<const Seeds> batch, int64_t share, bool onThread);
  /// Whether it was begun for this one and not taken.
  bool isOf(uint64_t stepKey, int64_t share) const { return isBegun() && key == stepKey && number == share; }
  bool isBegun() const { return drawn.valid(); }
  /// Then: whether nobody waits in `take`; `await` waits for that, and leaves errors to `take`.
  bool isDrawn() const { return drawn.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }
  void await() const { drawn.wait(); }
  const Seeds &seeds() const { return own; }
  /// Which of the batch's they are; perhaps none.
  const Shares::Range &range() const { return ownRange; }
  /// Waits, and throws what went wrong. Then the caller may take the neighbourhood and leave another of the program.
  std::unique_ptr<Neighbourhood> &take();
  /// Then, until it begins again: the rows of a table that it read.
  void *rowsOf(uint32_t tensor);

private:
  void draw();

  const Binding &binding;
  const Shares shares;
  Sampler sampler;
  TargetEdges targetEdges;
  std::unique_ptr<EdgeDraws> elsewhere; // may be null
  std::unique_ptr<Neighbourhood> around;
  uint64_t key = 0;
  int64_t number = 0; // of the share
  std::shared_ptr<const Seeds> batch;
  Seeds own;
  Shares::Range ownRange{0, 0};
  std::shared_ptr<PagedRows> paged; // may be null
  std::unique_ptr<Turn> turn;       // to read of them, until `draw` takes it
  std::shared_ptr<BatchRows> rows = std::make_shared<BatchRows>();
  std::unique_ptr<SentBatch> packing; // may be null
  std::future<void> drawn;            // last: what it works on outlives it
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_DRAWNSHARE_H
