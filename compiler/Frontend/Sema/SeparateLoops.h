//===- SeparateLoops.h - Parts of a model with other loops ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where layers of a model are about different loops, the graph has the loops of the data and those that are added, and
// types of its edges tell which is which. What aggregates gets a filter, and degrees are sums over kinds of edges, so
// that nothing after the front end knows of it.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_SEPARATELOOPS_H
#define GNNC_FRONTEND_SEMA_SEPARATELOOPS_H

#include "compiler/Frontend/CheckedModel.h"

namespace gnnc {

/// Rewrites the values of a model whose relations ask for kinds of loops, and read no types of edges, by what each
/// value says of the loops among its edges.
void separateLoops(CheckedModel &model);

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_SEPARATELOOPS_H
