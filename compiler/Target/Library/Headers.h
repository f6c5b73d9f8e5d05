//===- Headers.h - What an application includes -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers that are written beside a library: typed inputs and outputs over the runtime's gnn_model_t and gnn::Model.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TARGET_LIBRARY_HEADERS_H
#define GNNC_TARGET_LIBRARY_HEADERS_H

#include "dialects/Gnn/IR/Gnn.h"

namespace gnnc {

/// `stem` is the library's name without `.so`; as an identifier it is the prefix of C names and the C++ namespace.
std::string cHeader(gnn::ModelAttr model, llvm::StringRef stem, llvm::StringRef digest);
std::string cppHeader(gnn::ModelAttr model, llvm::StringRef stem, llvm::StringRef digest);

/// The symbol by which programs link a library: `gcn_library`.
std::string linkedSymbol(llvm::StringRef stem);

} // namespace gnnc

#endif // GNNC_TARGET_LIBRARY_HEADERS_H
