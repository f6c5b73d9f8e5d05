//===- SourceName.h - What the source calls a value -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_GNN_SOURCENAME_H
#define GNNC_GNN_SOURCENAME_H

#include "mlir/IR/Location.h"
#include <string>

namespace gnnc::gnn {

/// The outermost name in `loc`, as in `conv1.z`; empty if there is none.
std::string sourceName(mlir::Location loc);

/// The location of what is computed at `place`: `conv1.z`, a field of the layer conv1; `conv1`, its result.
mlir::Location locationAt(mlir::Location loc, llvm::StringRef place);
/// The place of the location, which `locationAt` gave it or one that it was fused from; empty if there is none.
llvm::StringRef sourcePlace(mlir::Location loc);

/// The name of the source file at `path` as messages and manifests have it: `gcn.gnn`, and `nn/gcn.gnn` for a file of
/// the standard library.
std::string sourceFileName(llvm::StringRef path);

} // namespace gnnc::gnn

#endif // GNNC_GNN_SOURCENAME_H
