//===- DataBinding.h - A data set as the oracle's bindings ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Binds a model's graph, inputs, targets and dimensions to a data set, and its parameters to files or random numbers.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TOOLS_GNN_INTERP_DATABINDING_H
#define GNNC_TOOLS_GNN_INTERP_DATABINDING_H

#include "compiler/Interpreter/Interpreter.h"
#include "runtime/src/data/Dataset.h"

namespace gnnc::interp {

std::vector<double> toDoubles(const gnn::rt::Tensor &tensor);

/// Relations, inputs and targets of `model` from `dataset`, by name or by being the only ones; dimensions that its
/// widths, types of edges and classes say, unless `bindings` has them. A target that is no feature is the labels. The
/// loss counts the vertices of `split`; all that have a label, if it is empty. Pairs are the true ones of `split`, of
/// "train" if it is empty, with target 1. Throws gnn::Error.
void bindData(const CheckedModel &model, const gnn::rt::Dataset &dataset, const std::string &split,
              OracleBindings &bindings);

/// Draws parameters that are not bound uniformly from (-0.5, 0.5). Dimensions must be bound.
void drawMissingParameters(const CheckedModel &model, uint64_t seed, OracleBindings &bindings);

} // namespace gnnc::interp

#endif // GNNC_TOOLS_GNN_INTERP_DATABINDING_H
