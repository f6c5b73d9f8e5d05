//===- SharedLibrary.h - Linking objects into a library ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links objects into a shared library with lld, inside this process: nobody who compiles a model needs a C compiler or
// a linker.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TARGET_CPU_SHAREDLIBRARY_H
#define GNNC_TARGET_CPU_SHAREDLIBRARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gnnc {

/// The library that `objects` (the bytes of ELF files, in this order) make. It has the name `soname`, a build id made
/// of its contents, and no dependency but `libm.so.6`, that only if an object calls a function of it. Undefined symbols
/// other than memcpy, memset and those of libm are an error. Not reentrant: lld keeps global state.
llvm::Expected<std::string> linkSharedLibrary(llvm::ArrayRef<llvm::ArrayRef<char>> objects, llvm::StringRef soname);

/// `objects` as one relocatable object, for programs that link a model statically. Hidden symbols are local to it.
llvm::Expected<std::string> linkObject(llvm::ArrayRef<llvm::ArrayRef<char>> objects);

} // namespace gnnc

#endif // GNNC_TARGET_CPU_SHAREDLIBRARY_H
