//===- SweepPrefetch.cpp - What edges will read is asked for ahead --------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/SweepEmitter.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

/// The edge `distance` further on, or the last one: of the call, or of the row where other edges lie between rows.
Value SweepEmitter::edgeAhead(Value edge, Index distance) {
  Value lastOfRow = b.value(b.sub(endEdge, b.constant(1)));
  Value last = b.create<arith::SelectOp>(rowsLieApart, lastOfRow, lastEdge);
  return b.create<arith::MinSIOp>(b.create<arith::AddIOp>(edge, b.value(distance)), last);
}

/// Where edges are not in their original order, as in every sweep towards sources, what they carry is all over memory:
/// it is asked for many edges ahead, further than the processor looks by itself.
void SweepEmitter::prefetchEdgeInputs(Value edge) {
  if (!hasInput(star::Access::Edge) || function.machine().isDevice)
    return;
  constexpr int64_t distance = 64;
  Value row = b.create<arith::IndexCastOp>(b.builder().getIndexType(),
                                           fields.ids.edgeIdAt(edgeAhead(edge, b.constant(distance))));
  for (auto [i, input] : llvm::enumerate(kernel.getInputs().getAsRange<star::OperandAttr>())) {
    if (input.getAccess() != star::Access::Edge)
      continue;
    Memory memory = operand(i, input, row);
    b.create<memref::PrefetchOp>(memory.memref, b.value(memory.base), /*isWrite=*/false, /*localityHint=*/3,
                                 /*isDataCache=*/true);
  }
}

/// Elements of a row that are worth asking for: as many as it can have, or where that is open as many as it has, and no
/// more than `most`.
Index SweepEmitter::elementsToPrefetch(FieldType type, int64_t most) {
  int64_t bound = 1;
  for (unsigned dim = 0; dim < type.getRank(); ++dim) {
    std::optional<int64_t> size = fields.points.bounds.most(type.getDim(dim));
    if (!size) {
      Index count = function.extent(type.getNumElements());
      return b.at(b.scopeOf(count), [&]() -> Index {
        return b.create<arith::MinUIOp>(b.value(count), b.value(b.constant(most))).getResult();
      });
    }
    bound *= *size;
  }
  return b.constant(std::min(bound, most));
}

/// Rows of the other end are all over memory as well. Where they outgrow the caches, as the executor says, the lines
/// that an edge reads are asked for so many edges ahead that some kilobytes are under way.
void SweepEmitter::prefetchCols(Value edge) {
  if (function.machine().isDevice)
    return;
  constexpr int64_t line = 64, bytesAhead = 16384, minDistance = 4, maxDistance = 64, maxBytes = 1024;
  struct Run {
    unsigned input;
    star::OperandAttr operand;
    SmallVector<Index> first;
    Index elements;
    int64_t lineElements;
  };
  std::vector<Run> runs;
  Index lines = b.constant(0);
  for (auto [i, input] : llvm::enumerate(kernel.getInputs().getAsRange<star::OperandAttr>())) {
    if (input.getAccess() != star::Access::Col || input.getType().getElement().isInteger(1)) // bits are small
      continue;
    FieldType type = input.getType();
    const int64_t elementBytes = storageBytes(storedElement(input)), lineElements = line / elementBytes;
    const bool inTile = where == Where::Tiles && type.getDims() == layout.reductions[0].contributed.getDims();
    Index elements = inTile ? b.constant(int64_t(tile.vectors) * fields.points.getMaxLanes())
                            : elementsToPrefetch(type, maxBytes / elementBytes);
    runs.push_back({unsigned(i), input, inTile ? tile.coords : SmallVector<Index>(type.getRank(), b.constant(0)),
                    elements, lineElements});
    lines = b.add(lines, b.div(b.add(elements, b.constant(lineElements - 1)), b.constant(lineElements)));
  }
  if (runs.empty())
    return;
  const int64_t chosen = kernel.getScheduleAttr() ? kernel.getScheduleAttr().getPrefetch() : 0;
  Index distance = b.constant(chosen);
  if (auto number = known(lines); number && !chosen)
    distance = b.constant(std::clamp(bytesAhead / line / *number, minDistance, maxDistance));
  else if (!chosen)
    distance = b.at(b.scopeOf(lines), [&]() -> Index {
      Value most = b.value(b.constant(maxDistance)), least = b.value(b.constant(minDistance));
      Value wanted = b.create<arith::DivUIOp>(b.value(b.constant(bytesAhead / line)), b.value(lines));
      return b.create<arith::MaxUIOp>(b.create<arith::MinUIOp>(wanted, most), least).getResult();
    });
  b.branch(
      prefetches,
      [&] {
        Value local =
            b.create<memref::LoadOp>(function.array("block.cols", b.builder().getI32Type()), edgeAhead(edge, distance));
        Value col = b.create<arith::IndexCastUIOp>(b.builder().getIndexType(), local);
        for (Run &run : runs) {
          Memory row = operand(run.input, run.operand, col);
          auto ask = [&](int64_t more) {
            auto [memref, index] = fields.memory.address(row, run.operand.getType(), run.first, more);
            b.create<memref::PrefetchOp>(memref, index, /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
          };
          if (auto number = known(run.elements)) {
            for (int64_t at = 0; at < *number; at += run.lineElements)
              ask(at);
            continue;
          }
          auto askFrom = [&](Index begin, Index end, int64_t atOnce) {
            b.forLoop(begin, end, b.constant(atOnce * run.lineElements), [&](Value at) {
              run.first.back() = at;
              for (int64_t i = 0; i < atOnce; ++i)
                ask(i * run.lineElements);
            });
          };
          constexpr int64_t linesAtOnce = 4; // fewer jumps, of which the processor foresees only so many
          Index rest = b.rem(run.elements, b.constant(linesAtOnce * run.lineElements));
          Index whole = b.sub(run.elements, rest);
          askFrom(b.constant(0), whole, linesAtOnce);
          askFrom(whole, run.elements, 1);
        }
      },
      [] {});
}

} // namespace gnnc
