//===- VirtualFields.h - Fields that are not stored -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A field that outgrows the caches, is made from bound data by one map and read by products alone need not be stored:
// each product makes a panel of its rows at a time, in its own thread's cache, just before it multiplies them. So are
// sums by hundreds of edge types, which would take more than the edges that are summed: a sweep makes each panel. Nor
// is the result of a product that one map alone reads: the map has it made so.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_PROGRAM_VIRTUALFIELDS_H
#define GNN_PROGRAM_VIRTUALFIELDS_H

#include "runtime/src/program/Library.h"

#include <functional>
#include <vector>

namespace gnn::rt {

/// For each tensor of the library the step of `program` that makes it in panels for those who read it, or -1: it is
/// stored.
/// `bytesOf` gives the size of a tensor, `bytesOnEdges` what all edges of a sweep read. What is chosen depends on sizes
/// only, never on the number of threads. `byDepth`: steps go over the rows of their depth alone, so that who reads more
/// rows than are made finds zeros there, which are stored.
std::vector<int32_t> findVirtualFields(const Library &library, const gnn_program_t &program,
                                       const std::function<size_t(uint32_t)> &bytesOf,
                                       const std::function<size_t(const gnn_step_t &)> &bytesOnEdges,
                                       bool byDepth = false);

} // namespace gnn::rt

#endif // GNN_PROGRAM_VIRTUALFIELDS_H
