//===- GatheredPairs.h - Pairs on rows of their ends ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the sweeps over pairs of a program that has no gradients. Of the tables that they read, rows of the ends of some
// pairs are gathered at a time, from where an executor has what vertices compute.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_GATHEREDPAIRS_H
#define GNN_EXEC_GATHEREDPAIRS_H

#include "runtime/src/bind/Binding.h"
#include "runtime/src/engine/Engine.h"
#include "runtime/src/exec/Executor.h"
#include "runtime/src/program/PartOfProgram.h"

namespace gnn::rt {

class GatheredPairs {
public:
  /// Memory that so many pairs take at a time, of a program.
  static size_t bytes(const Library &library, const Binding &binding, const gnn_program_t &program, int64_t pairs);

  /// `fields` runs PartOfProgram::overVertices of `program`, on a processor. `most`: pairs at a time. All arguments
  /// must outlive this.
  GatheredPairs(Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &program,
                Executor &fields, int64_t most);

  /// Where a parameter lies; for all of them, before the first run.
  void place(uint32_t tensor, char *data) { bases[tensor] = data; }
  int64_t mostPairs() const { return most; }
  /// Pairs of vertices by the rows of tables: `sources` and `destinations` rise, and the ends in `pairs` are places in
  /// them. `targets`: a number for each, or none: zeros. What vertices compute was run before.
  void run(SortedEdges pairs, const std::vector<int64_t> &sources, const std::vector<int64_t> &destinations,
           const std::vector<double> &targets = {});
  /// The same of pairs in any order.
  void run(const EdgeList &pairs, const std::vector<double> &targets);
  /// The values of a tensor over pairs after the last run, in the order of the pairs' ids.
  const Tensor &made(uint32_t tensor) const { return ofPairs.at(tensor); }
  /// When what vertices compute has changed: rows are gathered anew.
  void forget() { rowsOf.clear(); }

private:
  class BlockView;
  struct Rows {
    std::vector<int64_t> rows;
    Tensor table;
  };
  void *place(const ProgramStep &step, const Operand &operand, const std::vector<int64_t> &sources,
              const std::vector<int64_t> &destinations);
  /// Which result of `fields` it is; as many as there are: none.
  uint32_t fieldOf(uint32_t tensor) const;
  bool isField(uint32_t tensor) const { return fieldOf(tensor) < fields.walked().num_results; }
  Tensor rowsAt(uint32_t tensor, uint32_t type, const std::vector<int64_t> &rows);

  Engine &engine;
  const Library &library;
  const Binding &binding;
  const std::unique_ptr<const PartOfProgram> sweeps;
  const gnn_program_t &program;
  Executor &fields;
  const int64_t most;
  const std::unique_ptr<Prepared> prepared;
  const std::shared_ptr<ResidentTables> tables;
  std::vector<std::unique_ptr<Memory>> rooms;       // [steps]
  std::vector<char *> bases;                        // [library tensors] of parameters
  std::map<uint32_t, Tensor> ofPairs;               // by tensor
  std::map<std::pair<uint32_t, bool>, Rows> rowsOf; // by tensor, and whether of sources
};

} // namespace gnn::rt

#endif // GNN_EXEC_GATHEREDPAIRS_H
