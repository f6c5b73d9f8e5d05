//===- Manifest.h - What a library says about itself ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The manifest: JSON for people and tools, inside the library and beside it. docs/manifest.schema.json is its schema.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TARGET_LIBRARY_MANIFEST_H
#define GNNC_TARGET_LIBRARY_MANIFEST_H

#include "compiler/Target/Library/LibraryImage.h"
#include "mlir/IR/BuiltinOps.h"

namespace gnnc {

/// The manifest of a library compiled from `module` (outlined) with the tables `image`. Ends in a newline; the same for
/// the same source and flags.
std::string manifestOf(mlir::ModuleOp module, const LibraryImage &image);

} // namespace gnnc

#endif // GNNC_TARGET_LIBRARY_MANIFEST_H
