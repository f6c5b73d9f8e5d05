//===- NotFiniteInputs.h - Data that no model learns from -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says which inputs of a model have infinite numbers or ones that are none, for warnings and for who asks why a step of
// training was refused.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_BIND_NOTFINITEINPUTS_H
#define GNN_BIND_NOTFINITEINPUTS_H

#include "runtime/src/bind/Binding.h"

#include <string>
#include <vector>

namespace gnn::rt {

/// "3 values of x are infinite or not a number, the first in row 17" of each input of the model for which that is so.
std::vector<std::string> notFiniteInputs(const Library &library, const Features &features);

/// The same as it is bound, and of the targets where the loss is taken. Rows are those of ids.
std::vector<std::string> notFiniteInputs(const Library &library, const Binding &binding);

/// One such line; empty where all is finite.
std::string notFiniteText(const std::string &name, const Tensor &table);

} // namespace gnn::rt

#endif // GNN_BIND_NOTFINITEINPUTS_H
