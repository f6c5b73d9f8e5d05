//===- ProgramUses.h - What the steps of a program say together -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Phases and layers of steps and the uses of tensors, found from what each step is. A library has them in its tables
// (gnn/program.h); here they are found again, so that whoever reads them need not doubt them.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_PROGRAM_PROGRAMUSES_H
#define GNN_PROGRAM_PROGRAMUSES_H

#include "gnn/program.h"

#include <vector>

namespace gnn::rt {

struct ProgramUses {
  std::vector<uint32_t> phases; // of each step
  std::vector<int32_t> layers;
  std::vector<gnn_use_t> uses;
};

/// The tensors, kernels and relations that the steps of the program name must exist.
ProgramUses usesOf(const gnn_library_t &library, const gnn_program_t &program);

} // namespace gnn::rt

#endif // GNN_PROGRAM_PROGRAMUSES_H
