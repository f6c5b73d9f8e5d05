//===- StoredPlan.h - Whose rows are stored ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_STOREDPLAN_H
#define GNN_EXEC_STOREDPLAN_H

#include "runtime/src/bind/Binding.h"
#include "runtime/src/exec/StoredRows.h"

namespace gnn::rt {

/// [vertex types] the vertices, rows of whole tables, that save the most edges for so many bytes: those with edges of
/// their own, times their readers. Follows from counts alone. Throws GNN_ERROR_MEMORY if there is no room for a row.
std::vector<std::vector<int64_t>> chooseStored(const StoredLayout &layout, const Library &library,
                                               const Binding &binding, const gnn_program_t &program, size_t bytes);

} // namespace gnn::rt

#endif // GNN_EXEC_STOREDPLAN_H
