//===- LineTable.h - Positions as editors count them ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language server protocol counts lines and, within a line, UTF-16 code units, both from 0; the compiler counts
// bytes of UTF-8.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_LANGUAGESERVER_LINETABLE_H
#define GNNC_LANGUAGESERVER_LINETABLE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <vector>

namespace gnnc::lsp {

struct Position {
  uint32_t line = 0, character = 0;
};

struct Range {
  Position start, end;
};

class LineTable {
public:
  /// `text` outlives the table. Lines end with `\n`; a `\r` before it is part of the line.
  explicit LineTable(llvm::StringRef text);

  /// Offsets past the end and inside of a code point are moved back.
  Position position(size_t offset) const;
  /// A position past the end of its line is the end of the line, one past the last line the end of the text.
  size_t offset(Position position) const;

private:
  llvm::StringRef text;
  std::vector<size_t> lineStarts;
};

} // namespace gnnc::lsp

#endif // GNNC_LANGUAGESERVER_LINETABLE_H
