//===- SourcePosition.cpp - Lines and columns -----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/SourcePosition.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>

using namespace gnnc;

namespace {

constexpr unsigned tabWidth = 4;

/// Bytes of the well-formed code point at the front of `text`, or 0.
size_t codePointLength(llvm::StringRef text) {
  auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data());
  unsigned length = llvm::getNumBytesForUTF8(*begin);
  return length <= text.size() && llvm::isLegalUTF8Sequence(begin, begin + length) ? length : 0;
}

unsigned countCodePoints(llvm::StringRef text) {
  unsigned count = 0;
  for (; !text.empty(); ++count)
    text = text.drop_front(std::max<size_t>(1, codePointLength(text)));
  return count;
}

} // namespace

std::string gnnc::sanitize(llvm::StringRef text) {
  std::string shown;
  while (!text.empty()) {
    size_t length = codePointLength(text);
    unsigned char c = text.front();
    if (c == '\t')
      shown.append(tabWidth, ' ');
    else if (length == 0 || c < 0x20 || c == 0x7f || (c == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0))
      shown += "\xef\xbf\xbd";
    else
      shown += text.substr(0, length);
    text = text.drop_front(std::max<size_t>(1, length));
  }
  return shown;
}

unsigned gnnc::displayWidth(llvm::StringRef text) { return countCodePoints(text) + (tabWidth - 1) * text.count('\t'); }

SourcePosition gnnc::locate(const llvm::SourceMgr &sources, llvm::SMLoc location) {
  SourcePosition position;
  unsigned id = sources.FindBufferContainingLoc(location);
  if (!id)
    return position;
  const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(id);
  llvm::StringRef text = buffer->getBuffer();
  position.file = buffer->getBufferIdentifier();
  position.byte = location.getPointer() - text.data();
  position.lineNumber = sources.FindLineNumber(location, id);
  size_t begin = text.take_front(position.byte).rfind('\n') + 1; // npos + 1 is 0
  position.line = text.drop_front(begin).take_until([](char c) { return c == '\n'; }).rtrim('\r');
  position.byteInLine = std::min(position.byte - begin, position.line.size());
  position.column = countCodePoints(position.line.take_front(position.byteInLine)) + 1;
  return position;
}
