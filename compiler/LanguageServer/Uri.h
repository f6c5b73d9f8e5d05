//===- Uri.h - Names of documents -------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_LANGUAGESERVER_URI_H
#define GNNC_LANGUAGESERVER_URI_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace gnnc::lsp {

/// The path that a `file:` URI names; other URIs (documents that are no files) are returned as they are.
std::string pathOfUri(llvm::StringRef uri);
/// `file:` for absolute paths, else the path as it is: the inverse of `pathOfUri`, up to what is escaped.
std::string uriOfPath(llvm::StringRef path);

} // namespace gnnc::lsp

#endif // GNNC_LANGUAGESERVER_URI_H
