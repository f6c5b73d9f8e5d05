//===- Sampler.h - Which edges a batch sees ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws the edges of a batch's rows. A draw depends on seed, step, relation, direction, the vertex's original id, its
// number of edges that may be drawn (with weights: on these) and the fan-out, and on nothing else: not on threads, nor
// on the order in which vertices are met (docs/dev/abi.md, "Random numbers"). Where neighbours are drawn for all who
// read them, it depends on the neighbour's original id instead. Nor does it depend on who draws: an engine may do so.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_SAMPLER_H
#define GNN_SAMPLE_SAMPLER_H

#include "runtime/src/engine/EdgeDraws.h"
#include "runtime/src/sample/Drawing.h"
#include "runtime/src/sample/FanOuts.h"
#include "runtime/src/sample/FiledEdges.h"
#include "runtime/src/sample/TargetEdges.h"

#include <array>
#include <memory>

namespace gnn::rt {

class Sampler : public EdgeChooser {
public:
  /// Throws GNN_ERROR_ARGUMENT unless the fan-outs are those of the program's sweeps, GNN_ERROR_MISMATCH where nothing
  /// has the weight, GNN_ERROR_DATA where one is not above 0. The binding must outlive the sampler.
  Sampler(const Library &library, const Binding &binding, const gnn_program_t &program, const FanOuts &fanOuts,
          const Drawing &drawing = {});

  /// Before each batch; the key of its step (Random.h), and what it is to find: draws are from all other edges. Null:
  /// from all. It must outlive the batch.
  void begin(uint64_t stepKey, const TargetEdges *leftOut = nullptr) {
    key = stepKey;
    targets = leftOut;
  }

  /// The relations, each in a direction, that an engine could draw of. None: it can't draw all that the program sees,
  /// as edges with weights, or rows that are seen with too many.
  std::vector<std::pair<uint32_t, uint32_t>> rowsForEngines(const gnn_program_t &program) const;
  /// From now on all of these are drawn there, if no edge is left out. It must outlive this.
  void drawBy(EdgeDraws *draws) { elsewhere = draws; }

  void choose(const RowOfEdges &row, std::vector<int64_t> &places) const override;
  bool chooseElsewhere(const RowsOfEdges &rows, ChosenEdges &chosen) const override;

  /// Whether edges can be drawn by their places alone, and so of a file.
  static bool canDrawOfFiles(const Drawing &drawing) { return !drawing.isShared && drawing.weight.empty(); }
  /// Those in a file, of this and all copies of it; none are, perhaps.
  const std::shared_ptr<FiledEdges> &filedEdges() const { return filed; }

private:
  class Candidates;

  void chooseInFile(const RowsOfEdges &rows, ChosenEdges &chosen) const;
  void findWeights(const Library &library);
  void chooseShared(const RowOfEdges &row, const Candidates &all, int64_t most, std::vector<int64_t> &places) const;

  const Binding &binding;
  const Drawing drawing;
  std::vector<std::vector<int64_t>> limits;  // [relations][depths], none of sparse inputs
  std::vector<Tensor> weights;               // [relations] of edges by id; none: all alike
  std::vector<std::array<uint32_t, 2>> ends; // [relations][directions] vertex type of the cols
  std::shared_ptr<FiledEdges> filed;
  uint64_t key = 0;
  const TargetEdges *targets = nullptr;
  EdgeDraws *elsewhere = nullptr;
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_SAMPLER_H
