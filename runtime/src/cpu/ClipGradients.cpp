//===- ClipGradients.cpp - Gradients of bounded size ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/ClipGradients.h"

#include "gnn/tensor.h"
#include "runtime/src/cpu/Tasks.h"

#include <algorithm>
#include <cmath>

namespace gnn::rt {

namespace {

/// Elements whose squares are added up before others.
constexpr int64_t pieceElements = 4096;

struct Piece {
  const Update *update;
  int64_t begin, end;
};

std::vector<Piece> piecesOf(const std::vector<Update> &updates) {
  std::vector<Piece> pieces;
  for (const Update &update : updates)
    for (int64_t begin = 0; begin < update.count; begin += pieceElements)
      pieces.push_back({&update, begin, std::min(begin + pieceElements, update.count)});
  return pieces;
}

template <class T> double sumOfSquares(const Piece &piece) {
  const T *g = static_cast<const T *>(piece.update->gradient);
  double sum = 0;
  for (int64_t i = piece.begin; i < piece.end; ++i)
    sum += double(g[i]) * double(g[i]);
  return sum;
}

/// Gradients are results of this run, which nobody has read yet.
template <class T> void scale(const Piece &piece, double factor) {
  T *g = static_cast<T *>(const_cast<void *>(piece.update->gradient));
  for (int64_t i = piece.begin; i < piece.end; ++i)
    g[i] *= T(factor);
}

} // namespace

void clipGradients(Team &team, double most, const std::vector<Update> &updates) {
  const std::vector<Piece> pieces = piecesOf(updates);
  std::vector<double> sums(pieces.size());
  forTasks(team, int64_t(pieces.size()), [&](int64_t task, unsigned) {
    const Piece &piece = pieces[size_t(task)];
    sums[size_t(task)] = piece.update->element == GNN_F64 ? sumOfSquares<double>(piece) : sumOfSquares<float>(piece);
  });
  double squares = 0;
  for (double sum : sums)
    squares += sum;
  const double factor = most / (std::sqrt(squares) + clipEpsilon);
  if (!(factor < 1))
    return;
  forTasks(team, int64_t(pieces.size()), [&](int64_t task, unsigned) {
    const Piece &piece = pieces[size_t(task)];
    piece.update->element == GNN_F64 ? scale<double>(piece, factor) : scale<float>(piece, factor);
  });
}

} // namespace gnn::rt
