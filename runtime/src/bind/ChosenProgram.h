//===- ChosenProgram.h - The order of products over a graph -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_BIND_CHOSENPROGRAM_H
#define GNN_BIND_CHOSENPROGRAM_H

#include "runtime/src/bind/Binding.h"

namespace gnn::rt {

/// The library's program of the kind; if it has several, the one that costs least over the whole graph.
const gnn_program_t &programOver(const Library &library, const Binding &binding, uint32_t kind);

} // namespace gnn::rt

#endif // GNN_BIND_CHOSENPROGRAM_H
