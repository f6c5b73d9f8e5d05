//===- BuiltinDocs.h - What editors say of the language's functions -------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that are no text of the language, so that no documentation comment stands at them.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_LANGUAGESERVER_BUILTINDOCS_H
#define GNNC_LANGUAGESERVER_BUILTINDOCS_H

#include "llvm/ADT/StringRef.h"

namespace gnnc::lsp {

/// How the function or loss is called, `dropout(x, p)`, and a sentence about it; empty of other names.
llvm::StringRef builtinUsage(llvm::StringRef name);
llvm::StringRef builtinDoc(llvm::StringRef name);

} // namespace gnnc::lsp

#endif // GNNC_LANGUAGESERVER_BUILTINDOCS_H
