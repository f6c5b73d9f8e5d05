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

std::string Sema::qualified(llvm::StringRef name) const {
  bool ofEdges = context.comprehension;
  unsigned relation = ofEdges ? context.comprehension->set->relation : 0;
  bool isPlain = ofEdges ? relationInfo[relation].scope == root.scope.get() : root.component->vertexTypes.empty();
  const std::string &owner = ofEdges ? model.relations[relation].name : model.vertexTypes[context.vertexType].name;
  return isPlain ? name.str() : owner + "." + name.str();
}

const EdgeSet *Sema::keep(EdgeSet set) {
  edgeSets.push_back(std::make_unique<EdgeSet>(std::move(set)));
  return edgeSets.back().get();
}
