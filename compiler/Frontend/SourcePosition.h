//===- SourcePosition.h - Lines and columns ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places in sources, and their text as it may be shown. Source text is untrusted: invalid UTF-8 and control characters
// are replaced before they reach a terminal or a file of ours.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SOURCEPOSITION_H
#define GNNC_FRONTEND_SOURCEPOSITION_H

#include "llvm/Support/SMLoc.h"
#include "llvm/Support/SourceMgr.h"
#include <string>

namespace gnnc {

/// Line and column from 1, the column in code points; bytes from 0.
struct SourcePosition {
  llvm::StringRef file, line;
  unsigned lineNumber = 0, column = 0;
  size_t byte = 0, byteInLine = 0;
};

/// No file, if the location is in none.
SourcePosition locate(const llvm::SourceMgr &sources, llvm::SMLoc location);

/// `text` as shown: tabs expanded, what is not printable replaced.
std::string sanitize(llvm::StringRef text);

/// Columns that `text` takes when shown.
unsigned displayWidth(llvm::StringRef text);

} // namespace gnnc

#endif // GNNC_FRONTEND_SOURCEPOSITION_H
