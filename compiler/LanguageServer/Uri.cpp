//===- Uri.cpp - Names of documents -----------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/LanguageServer/Uri.h"
#include "llvm/ADT/StringExtras.h"

std::string gnnc::lsp::pathOfUri(llvm::StringRef uri) {
  llvm::StringRef rest = uri;
  if (!rest.consume_front("file://"))
    return uri.str();
  rest = rest.substr(rest.find('/')); // without a host
  std::string path;
  for (size_t i = 0; i < rest.size(); ++i) {
    bool isEscape =
        rest[i] == '%' && i + 2 < rest.size() && llvm::isHexDigit(rest[i + 1]) && llvm::isHexDigit(rest[i + 2]);
    path += isEscape ? static_cast<char>(llvm::hexFromNibbles(rest[i + 1], rest[i + 2])) : rest[i];
    i += isEscape ? 2 : 0;
  }
  return path;
}

std::string gnnc::lsp::uriOfPath(llvm::StringRef path) {
  if (!path.starts_with("/"))
    return path.str();
  std::string uri = "file://";
  for (char c : path) {
    bool isPlain = llvm::isAlnum(c) || llvm::StringRef("/-._~").contains(c);
    uri += isPlain ? std::string(1, c) : "%" + llvm::toHex(llvm::StringRef(&c, 1));
  }
  return uri;
}
