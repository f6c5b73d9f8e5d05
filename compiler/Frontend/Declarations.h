//===- Declarations.h - What the files of a program declare -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers and functions by name, of the main file and of everything that it imports.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_DECLARATIONS_H
#define GNNC_FRONTEND_DECLARATIONS_H

#include "compiler/Frontend/AST.h"
#include "llvm/ADT/StringMap.h"

namespace gnnc {

/// The layers and functions of all files, by name.
struct Declarations {
  llvm::StringMap<const ast::ComponentDecl *> layers;
  llvm::StringMap<const ast::FunctionDecl *> functions;
  bool isIncomplete = false;                // a file could not be read as a whole
  llvm::StringMap<std::string> notImported; // layers of the standard library that the file may have meant: their module
};

} // namespace gnnc

#endif // GNNC_FRONTEND_DECLARATIONS_H
