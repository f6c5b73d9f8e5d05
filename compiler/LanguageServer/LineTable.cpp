//===- LineTable.cpp - Positions as editors count them ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/LanguageServer/LineTable.h"
#include <algorithm>

using namespace gnnc::lsp;

LineTable::LineTable(llvm::StringRef text) : text(text), lineStarts{0} {
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n')
      lineStarts.push_back(i + 1);
}

static bool isInside(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// The UTF-16 code units of the code point that starts with this byte.
static unsigned units(char c) { return static_cast<unsigned char>(c) >= 0xf0 ? 2 : 1; }

Position LineTable::position(size_t offset) const {
  offset = std::min(offset, text.size());
  while (offset > 0 && offset < text.size() && isInside(text[offset]))
    --offset;
  size_t line = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset) - lineStarts.begin() - 1;
  uint32_t character = 0;
  for (size_t i = lineStarts[line]; i < offset; ++i)
    character += isInside(text[i]) ? 0 : units(text[i]);
  return {static_cast<uint32_t>(line), character};
}

size_t LineTable::offset(Position position) const {
  if (position.line >= lineStarts.size())
    return text.size();
  size_t offset = lineStarts[position.line];
  size_t end = position.line + 1 < lineStarts.size() ? lineStarts[position.line + 1] - 1 : text.size();
  uint32_t character = 0;
  while (offset < end && character < position.character) {
    character += units(text[offset]);
    do
      ++offset;
    while (offset < end && isInside(text[offset]));
  }
  return offset;
}
