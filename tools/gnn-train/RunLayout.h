//===- RunLayout.h - In which parts, and where ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An executor's choices beside its Plan: the parts of sweeps, and the places of tensors. They do not change bits, and
// depend on the machine's caches and threads.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_RUNLAYOUT_H
#define GNN_TOOLS_TRAIN_RUNLAYOUT_H

#include "runtime/src/bind/Binding.h"
#include "runtime/src/exec/Executor.h"

#include <string>
#include <vector>

namespace gnn::train_tool {

struct RunLayout {
  static constexpr int64_t version = 1; // of the JSON

  struct Sweep {
    uint32_t step;
    std::string kernel, relation, toward; // "destination" or "source"
    rt::StepParts parts;
  };
  /// The place of a tensor that the program names.
  struct Place {
    std::string name;
    std::string in; // "binding", "model", "results"; "arena" or "lasting", at `offset`; "readers": not stored
    size_t bytes = 0, offset = 0; // in memory
    int64_t first = 0, last = 0;  // steps, of those with an offset
  };

  std::vector<Sweep> sweeps;
  std::vector<Place> places; // in the order in which steps name them

  static RunLayout of(const rt::Library &library, const rt::Binding &binding, const gnn_program_t &program,
                      const rt::Executor &executor);
  std::string json() const;
};

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_RUNLAYOUT_H
