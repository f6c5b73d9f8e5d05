//===- gnn.hpp - The runtime in C++ ----------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything of the C++ interface: thin owners over the C functions (gnn/gnn.h states the rules on errors, ownership
// and threads).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GNN_HPP
#define GNN_GNN_HPP

#include "gnn/dataset.hpp"
#include "gnn/encoder.hpp"
#include "gnn/error.hpp"
#include "gnn/graph.hpp"
#include "gnn/growing.hpp"
#include "gnn/model.hpp"
#include "gnn/npy.hpp"
#include "gnn/pullback.hpp"
#include "gnn/tensor.hpp"

#endif // GNN_GNN_HPP
