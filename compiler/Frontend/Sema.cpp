//===- Sema.cpp - Semantic analysis: shared parts ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Set-up, operands, limits, and how messages name things.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace gnnc;

Sema::Sema(const Declarations &declarations, DiagnosticEngine &diagnostics, SemaOptions options, SemaBudget &budget)
    : SemaContext(declarations, diagnostics, std::move(options), budget), Checker(*static_cast<SemaContext *>(this)) {}
