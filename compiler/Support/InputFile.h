//===- InputFile.h - Files read to a limit ----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_SUPPORT_INPUTFILE_H
#define GNNC_SUPPORT_INPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>

namespace gnnc {

/// The first `limit` bytes of a file, or all that it has: a device or pipe without end does no harm. `-` is the
/// standard input. The error does not name the file.
llvm::Expected<std::string> readAtMost(llvm::StringRef file, size_t limit);

/// A buffer with a copy of `text`. LLVM's function returns null without memory; this ends as any failed allocation
/// does.
std::unique_ptr<llvm::MemoryBuffer> copyToBuffer(llvm::StringRef text, const llvm::Twine &name);

} // namespace gnnc

#endif // GNNC_SUPPORT_INPUTFILE_H
