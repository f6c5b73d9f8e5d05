//===- ComponentItems.h - Items of a component ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations between the braces of a layer or model, while they are parsed.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_PARSER_COMPONENTITEMS_H
#define GNNC_FRONTEND_PARSER_COMPONENTITEMS_H

#include "compiler/Frontend/AST.h"

namespace gnnc {

/// The items of a layer or model that have been parsed.
struct ComponentItems {
  llvm::SmallVector<ast::WeightDecl, 0> weights;
  llvm::SmallVector<ast::InstanceDecl, 0> instances;
  llvm::SmallVector<ast::BodyDecl, 0> bodies;
  llvm::SmallVector<ast::VertexTypeDecl, 0> vertexTypes;
  llvm::SmallVector<ast::RelationDecl, 0> relations;
  llvm::SmallVector<ast::Setting, 0> graph, training, schedule;
  bool isDamaged = false; // a body or a part of the schema could not be read
};

} // namespace gnnc

#endif // GNNC_FRONTEND_PARSER_COMPONENTITEMS_H
