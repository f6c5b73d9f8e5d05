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
#include <string>

namespace gnnc {

/// The first `limit` bytes of a file, or all that it has: a device or pipe without end does no harm. `-` is the
/// standard input. The error does not name the file.
llvm::Expected<std::string> readAtMost(llvm::StringRef file, size_t limit);

} // namespace gnnc

#endif // GNNC_SUPPORT_INPUTFILE_H
