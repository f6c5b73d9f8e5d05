//===- GnnOps.td - Ops of the gnn dialect ------------------*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One op for each kind of value of a checked model, and what differentiation and decomposition need besides. In the descriptions `F[..]` is a
// field with those dimensions; types are shortened where they repeat.
//
//===----------------------------------------------------------------------===//
#ifndef GNN_OPS_TD
#define GNN_OPS_TD

include "dialects/Gnn/IR/GnnProgramOps.td"
include "dialects/Gnn/IR/GnnElementOps.td"
include "dialects/Gnn/IR/GnnGraphOps.td"

#endif // GNN_OPS_TD
