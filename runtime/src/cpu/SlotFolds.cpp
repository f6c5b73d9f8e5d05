//===- SlotFolds.cpp - Sums over rows in fixed slots ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/SlotFolds.h"

#include "runtime/src/core/Tensor.h"
#include "runtime/src/cpu/Tasks.h"
#include "runtime/src/program/Fold.h"

#include <algorithm>
#include <cstring>

namespace gnn::rt {

/// Numbers that one task folds.
static constexpr int64_t numbersPerTask = 4096;

void SlotFolds::add(uint32_t kind, uint32_t element, size_t offset, int64_t count, uint32_t operand) {
  folds.push_back({kind, element, offset, count, operand, tasks});
  tasks += (count + numbersPerTask - 1) / numbersPerTask;
  widen(offset + size_t(count) * elementBytes(element));
}

void SlotFolds::start(char *slot) const {
  for (const Fold &fold : folds)
    fillIdentity(fold.kind, fold.element, fold.count, slot + fold.offset);
}

void SlotFolds::fold(Team &team, void *slots, int64_t numSlots, void *const *operands, bool goesOn) const {
  forTasks(team, tasks, [&](int64_t task, unsigned) {
    const Fold *fold = folds.data();
    while (fold + 1 != folds.data() + folds.size() && fold[1].firstTask <= task)
      ++fold;
    const int64_t begin = (task - fold->firstTask) * numbersPerTask;
    const int64_t end = std::min(begin + numbersPerTask, fold->count);
    const size_t number = elementBytes(fold->element), from = size_t(begin) * number,
                 bytes = size_t(end) * number - from;
    auto *result = static_cast<char *>(operands[fold->operand]);
    if (numSlots == 0 && !goesOn)
      std::memset(result + from, 0, bytes);
    for (int64_t s = 0; s < numSlots; ++s) {
      const char *of = slot(slots, s) + fold->offset;
      if (s == 0 && !goesOn)
        std::memcpy(result + from, of + from, bytes);
      else
        foldInto(fold->kind, fold->element, begin, end, result, of);
    }
  });
}

} // namespace gnn::rt
