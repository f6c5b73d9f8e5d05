//===- Obstacles.h - Programs that need the whole graph ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Not every program can be run over a part of the graph, its neighbourhoods or samples. An obstacle says why, for
// messages: "it computes totals over all vertices". Empty: there is none.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_PROGRAM_OBSTACLES_H
#define GNN_PROGRAM_OBSTACLES_H

#include "runtime/src/program/Library.h"

#include <string>

namespace gnn::rt {

/// Why the results of some vertices depend on more than their neighbourhood.
std::string obstacleToNeighbourhoods(const Library &library, const gnn_program_t &program);

/// Why a program can't train on chosen edges, where totals are over the vertices that are here.
std::string obstacleToSamples(const Library &library, const gnn_program_t &program);

/// Why the numbers of a training program depend on more than the vertices that its loss reaches, with all their edges.
std::string obstacleToReached(const Library &library, const gnn_program_t &program);

/// The programs of a kind without such an obstacle: another order of sums and products may have one.
std::vector<const gnn_program_t *> programsForNeighbourhoods(const Library &library, uint32_t kind);
std::vector<const gnn_program_t *> programsForSamples(const Library &library, uint32_t kind);

} // namespace gnn::rt

#endif // GNN_PROGRAM_OBSTACLES_H
