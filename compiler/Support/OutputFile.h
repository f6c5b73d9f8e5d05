//===- OutputFile.h - Files written whole or not at all ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_SUPPORT_OUTPUTFILE_H
#define GNNC_SUPPORT_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gnnc {

/// Permissions of a new file, before the umask.
enum class FileMode { Data = 0666, Executable = 0777 };

/// Writes `contents` to a temporary file beside the one that `path` leads to, syncs it and renames it over that one.
/// The new file has the mode and owner of the old one, if there is one. What is there and no regular file, such as a
/// pipe or device, is written where it is. `-` is the standard output. The error names the file.
llvm::Error writeOutput(llvm::StringRef path, llvm::StringRef contents, FileMode mode = FileMode::Data);

/// Whether `path` is there and no regular file, so that nothing belongs beside it.
bool isSpecialFile(llvm::StringRef path);

} // namespace gnnc

#endif // GNNC_SUPPORT_OUTPUTFILE_H
