//===- InputForms.h - Libraries with both forms of an input -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library may read an input of vertices in two forms: some programs as a table, others as its nonzeros. In one of
// these forms it is a library like any other.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_PROGRAM_INPUTFORMS_H
#define GNN_PROGRAM_INPUTFORMS_H

#include "runtime/src/program/Library.h"

#include <memory>
#include <optional>
#include <string>

namespace gnn::rt {

enum class InputForm { Dense, Sparse };

/// "dense" or "sparse".
const char *formName(InputForm form);
/// Parses "dense", "sparse" or "auto", which is none. Throws GNN_ERROR_ARGUMENT, with `origin`, for other text.
std::optional<InputForm> parseInputForm(const std::string &text, const std::string &origin);

/// An input that a library reads in both forms: tensors of GNN_ROLE_INPUT and GNN_ROLE_WEIGHTS.
struct FormedInput {
  uint32_t table, nonzeros;
};

/// Null where there is none: of an input that something reads elementwise, say.
std::optional<FormedInput> formedInput(const Library &library);

/// Whether a relation is that of an input's nonzeros which the library, in the dense form, does not read: it is empty.
bool isUnread(const Library &library, uint32_t relation);

/// `library`, which has a formed input, with the programs alone that read it in this form, or do not read it. Indices
/// of its tables stay; the tensor of the other form is a temporary of no step.
std::shared_ptr<const Library> inForm(const std::shared_ptr<const Library> &library, InputForm form);

} // namespace gnn::rt

#endif // GNN_PROGRAM_INPUTFORMS_H
