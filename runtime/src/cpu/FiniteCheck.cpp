//===- FiniteCheck.cpp - What a step of training gave ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/FiniteCheck.h"

#include "runtime/src/core/Finite.h"

#include <algorithm>

namespace gnn::rt {

namespace {

/// Numbers that are one task: of most models all.
constexpr int64_t taskNumbers = 65536;

struct Piece {
  uint32_t result;
  int64_t begin, end;
};

/// Runs of pieces that have `taskNumbers` or a little more.
struct Check {
  const std::vector<Tensor> &results;
  std::vector<Piece> pieces;
  std::vector<size_t> firstOfTask;
  std::vector<uint8_t> isFinite; // [pieces], each written by one task

  static void run(void *context, int64_t task, unsigned) {
    Check &self = *static_cast<Check *>(context);
    const size_t end =
        size_t(task) + 1 < self.firstOfTask.size() ? self.firstOfTask[size_t(task) + 1] : self.pieces.size();
    for (size_t i = self.firstOfTask[size_t(task)]; i < end; ++i) {
      const Piece &piece = self.pieces[i];
      const Tensor &result = self.results[piece.result];
      self.isFinite[i] = areFinite(result.element(), result.data(), piece.begin, piece.end);
    }
  }
};

} // namespace

std::optional<uint32_t> firstNotFinite(Team &team, const std::vector<Tensor> &results) {
  Check check{results, {}, {}, {}};
  int64_t inTask = taskNumbers;
  for (uint32_t i = 0; i < results.size(); ++i)
    for (int64_t begin = 0; begin < results[i].count(); begin += taskNumbers) {
      if (inTask >= taskNumbers) {
        check.firstOfTask.push_back(check.pieces.size());
        inTask = 0;
      }
      check.pieces.push_back({i, begin, std::min(begin + taskNumbers, results[i].count())});
      inTask += check.pieces.back().end - begin;
    }
  check.isFinite.resize(check.pieces.size());
  team.run({Check::run, &check, uint32_t(check.firstOfTask.size())});
  auto found = std::find(check.isFinite.begin(), check.isFinite.end(), 0);
  if (found == check.isFinite.end())
    return std::nullopt;
  return check.pieces[size_t(found - check.isFinite.begin())].result;
}

} // namespace gnn::rt
