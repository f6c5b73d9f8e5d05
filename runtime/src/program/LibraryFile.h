//===- LibraryFile.h - The file of a compiled library -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_PROGRAM_LIBRARYFILE_H
#define GNN_PROGRAM_LIBRARYFILE_H

#include <string>

namespace gnn::rt {

/// Checks a file that the system's loader would map unseen: throws GNN_ERROR_IO if it is no regular file, and
/// GNN_ERROR_DATA if it is shorter than its ELF headers say.
void checkLibraryFile(const std::string &path);

} // namespace gnn::rt

#endif // GNN_PROGRAM_LIBRARYFILE_H
