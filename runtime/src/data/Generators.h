//===- Generators.h - Data sets from nothing -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The karate club and seeded random graphs; kinds and options are described in gnn/dataset.h. The same options give the
// same data set everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_DATA_GENERATORS_H
#define GNN_DATA_GENERATORS_H

#include "runtime/src/data/Dataset.h"

namespace gnn::rt {

/// Zeros in `options` are the defaults of `kind`. Throws an argument error for an unknown kind or impossible numbers.
Dataset generateDataset(const std::string &kind, gnn_generate_options_t options);

/// Zachary's karate club (1977).
Dataset karateClub();

} // namespace gnn::rt

#endif // GNN_DATA_GENERATORS_H
