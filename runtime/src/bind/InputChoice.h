//===- InputChoice.h - Which form of an input its data has ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_BIND_INPUTCHOICE_H
#define GNN_BIND_INPUTCHOICE_H

#include "runtime/src/bind/Binding.h"
#include "runtime/src/program/InputForms.h"

namespace gnn::rt {

struct InputChoice {
  InputForm form;
  std::string why; // "0.85 % of 3327 x 3703 are not 0"
};

/// As many elements of a table take as long as one nonzero, for which a row of a parameter is gathered: between 3 and
/// 9, by width and dropout (docs/lab/2026-11-26-sparse-or-dense.md).
constexpr int64_t elementsOfNonzero = 6;

/// The form of the library's formed input for this data, by its size and nonzeros alone: never by time.
InputChoice chooseInputForm(const Library &library, const Features &features);
/// The same of so many nonzeros in a table of `rows` by `columns`.
InputChoice chooseInputForm(int64_t nonzeros, int64_t rows, int64_t columns);

} // namespace gnn::rt

#endif // GNN_BIND_INPUTCHOICE_H
