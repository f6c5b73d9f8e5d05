//===- Installation.cpp - Where our own files are -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Support/Installation.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

std::string gnnc::stdlibFolder(const char *program) {
  // Any address in the executable does where /proc is missing.
  std::string executable = llvm::sys::fs::getMainExecutable(program, reinterpret_cast<void *>(&stdlibFolder));
  llvm::SmallString<256> path(llvm::sys::path::parent_path(llvm::sys::path::parent_path(executable)));
  llvm::sys::path::append(path, "share", "gnnc", "stdlib");
  return std::string(path);
}
