//===- FieldThreads.cpp - Fields in the registers of a group's threads ----===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements each thread has, and folds of what several have.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/FieldEmitter.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

static int64_t numRuns(FieldType type) {
  return *type.getNumElements().constant() / *type.getDim(type.getRank() - 1).constant();
}

/// Vectors of `widest` are numbered run by run, a run being what lies along its last dimension; runs take a power of
/// two of numbers, so that the threads of one are side by side. Numbers go round the threads. The runs are those of the
/// part that begins with `firstRun`.
Deal FieldEmitter::dealOf(FieldType widest, Index firstRun) {
  const ThreadGroup &group = function.group();
  const int64_t threads = group.threads, lanes = this->lanes(widest);
  const int64_t length = *widest.getDim(widest.getRank() - 1).constant() / lanes;
  const int64_t numbers = llvm::PowerOf2Ceil(length), runs = numRuns(widest) / parts;
  Deal deal{widest, {}, unsigned(std::min(numbers, threads))};
  auto below = [&](Index index, int64_t end) -> Value {
    return b.create<arith::CmpIOp>(arith::CmpIPredicate::ult, b.value(index), b.value(b.constant(end)));
  };
  auto atMost = [&](Index index, int64_t most) -> Index {
    return b.create<arith::MinUIOp>(b.value(index), b.value(b.constant(most))).getResult();
  };
  SmallVector<Index, 3> ofRun; // coordinates: the same values for all vectors of a run, so that points are found again
  for (int64_t first = 0; first < runs * numbers; first += threads) {
    Index run = b.add(b.div(group.thread, b.constant(numbers)), b.constant(first / numbers));
    Index position = b.add(b.rem(group.thread, b.constant(numbers)), b.constant(first % numbers));
    if (threads <= numbers) { // then all threads are in the same run, which is known
      run = b.constant(first / numbers);
      position = b.add(group.thread, b.constant(first % numbers));
    }
    Value isThere;
    if (length != numbers) {
      isThere = below(position, length);
      position = atMost(position, length - 1);
    }
    if (threads > numbers && (runs * numbers) % threads != 0) {
      Value isRun = below(run, runs);
      isThere = isThere ? b.create<arith::AndIOp>(isThere, isRun).getResult() : isRun;
      run = atMost(run, runs - 1);
    }
    if (threads > numbers || first % numbers == 0) {
      ofRun.assign(widest.getRank() - 1, {});
      run = b.add(run, firstRun);
      for (unsigned dim = widest.getRank() - 1; dim-- > 0;) {
        Index size = function.extent(widest.getDim(dim));
        ofRun[dim] = dim == 0 ? run : b.rem(run, size);
        run = dim == 0 ? run : b.div(run, size);
      }
    }
    Point point{ofRun, unsigned(lanes), isThere};
    point.coords.push_back(b.mul(position, b.constant(lanes)));
    deal.points.push_back(point);
  }
  return deal;
}

void FieldEmitter::dealOut(ArrayRef<FieldType> widest, int64_t numParts) {
  parts = numParts;
  for (FieldType type : widest)
    deals.push_back(dealOf(type, b.constant(0)));
  unrolled = true;
}

void FieldEmitter::forEachPart(llvm::function_ref<void()> body) {
  if (!isInParts())
    return body();
  const int64_t runs = numRuns(deals[0].widest);
  b.forLoop(b.constant(0), b.constant(runs), b.constant(runs / parts), [&](Value firstRun) {
    llvm::SaveAndRestore<SmallVector<Deal>> ofPart(deals, {dealOf(deals[0].widest, firstRun)});
    body();
  });
}

const Deal &FieldEmitter::dealWith(FieldType type) const {
  auto found = llvm::find_if(deals, [&](const Deal &deal) { return isDealtWith(deal.widest, type); });
  assert(found != deals.end() && "a field that threads do not have in registers");
  return *found;
}

void FieldEmitter::inMemory(llvm::function_ref<void()> body) {
  llvm::SaveAndRestore<SmallVector<Deal>> none(deals, {});
  llvm::SaveAndRestore<bool> loops(unrolled, false);
  body();
}

bool FieldEmitter::isDealtWith(FieldType widest, FieldType type) {
  return type.getRank() <= widest.getRank() && type.getDims() == widest.getDims().take_front(type.getRank());
}

/// The points of a thread in a field of type `type`. In a field of fewer dimensions, the thread with the first vector
/// under an element owns the element.
SmallVector<Point> FieldEmitter::dealtPoints(FieldType type) {
  const Deal &deal = dealWith(type);
  if (type.getRank() == deal.widest.getRank())
    return deal.points;
  if (type.getRank() == 0)
    return {Point()}; // of which threads know by themselves who stores it
  SmallVector<Point> all;
  for (const Point &whole : deal.points) {
    Point point{SmallVector<Index, 3>(ArrayRef(whole.coords).take_front(type.getRank())), 0, whole.isOwner};
    if (llvm::is_contained(all, point))
      continue;
    for (Index coord : ArrayRef(whole.coords).drop_front(type.getRank())) {
      if (known(coord) == 0)
        continue;
      Value isFirst = b.at(b.scopeOf(coord), [&]() -> Value {
        return b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, b.value(coord), b.value(b.constant(0)));
      });
      point.isOwner = point.isOwner ? b.create<arith::AndIOp>(point.isOwner, isFirst).getResult() : isFirst;
    }
    all.push_back(point);
  }
  return all;
}

/// A fold along the last dimension: of the thread's vectors, of their lanes, then of the threads that share the run.
SmallVector<Value> FieldEmitter::foldThreads(FieldType shape, const Point &point, ArrayRef<TypedAttr> identity,
                                             Step step, Merge merge) {
  const Deal &deal = dealWith(shape);
  const unsigned lanes = this->lanes(shape);
  SmallVector<Value> state;
  for (TypedAttr number : identity)
    state.push_back(constant(number, {{}, lanes}));
  for (const Point &part : deal.points) {
    if (ArrayRef(part.coords).drop_back() != ArrayRef(point.coords))
      continue;
    SmallVector<Value> next = step(state, part, part.coords.back());
    for (auto [now, before] : llvm::zip_equal(next, state))
      now = select(part.isOwner, now, before);
    state = next;
  }
  state = foldLanes(state, lanes, merge);
  for (unsigned distance = deal.sharers / 2; distance > 0; distance /= 2)
    state = merge(state, llvm::map_to_vector(state, [&](Value number) { return function.shuffle(number, distance); }));
  return state;
}

} // namespace gnnc
