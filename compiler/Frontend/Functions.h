//===- Functions.h - Functions of the language itself -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names that the language itself defines: functions (Functions.def), reductions and fields of vertices.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_FUNCTIONS_H
#define GNNC_FRONTEND_FUNCTIONS_H

#include "compiler/Frontend/CheckedModel.h"
#include <optional>
#include <string>
#include <vector>

namespace gnnc {

/// Whether `name` is a function of the language itself.
bool isBuiltin(llvm::StringRef name);
std::vector<std::string> builtinNames();
/// The name of a reduction in the language; none for `var` and `std`, which are made of others.
std::optional<Reduction> reductionNamed(llvm::StringRef name);
/// Whether `name` is a field that every vertex has: `in_degree`, `out_degree`.
std::optional<ValueKind> degreeKind(llvm::StringRef name);

} // namespace gnnc

#endif // GNNC_FRONTEND_FUNCTIONS_H
