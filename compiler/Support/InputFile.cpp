//===- InputFile.cpp - Files read to a limit ------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Support/InputFile.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include <algorithm>

namespace fs = llvm::sys::fs;

llvm::Expected<std::string> gnnc::readAtMost(llvm::StringRef file, size_t limit) {
  bool isStdin = file == "-";
  llvm::Expected<fs::file_t> handle = isStdin ? fs::getStdinHandle() : fs::openNativeFileForRead(file);
  if (!handle)
    return handle.takeError();
  auto close = llvm::make_scope_exit([&] {
    if (!isStdin)
      (void)fs::closeFile(*handle);
  });
  constexpr size_t chunk = 1 << 16;
  std::string text;
  while (text.size() < limit) {
    size_t size = text.size(), wanted = std::min(chunk, limit - size);
    text.resize(size + wanted);
    llvm::Expected<size_t> count = fs::readNativeFile(*handle, llvm::MutableArrayRef<char>(text.data() + size, wanted));
    if (!count)
      return count.takeError();
    text.resize(size + *count);
    if (*count == 0)
      break;
  }
  return text;
}

std::unique_ptr<llvm::MemoryBuffer> gnnc::copyToBuffer(llvm::StringRef text, const llvm::Twine &name) {
  std::unique_ptr<llvm::MemoryBuffer> buffer = llvm::MemoryBuffer::getMemBufferCopy(text, name);
  if (!buffer)
    llvm::report_bad_alloc_error("no memory for a source");
  return buffer;
}
