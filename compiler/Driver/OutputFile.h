//===- OutputFile.h - Files written whole or not at all ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DRIVER_OUTPUTFILE_H
#define GNNC_DRIVER_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gnnc {

/// Writes `contents` to a temporary file beside `path`, then renames it. `-` is the standard output. The error names
/// the file.
llvm::Error writeOutput(llvm::StringRef path, llvm::StringRef contents);

} // namespace gnnc

#endif // GNNC_DRIVER_OUTPUTFILE_H
