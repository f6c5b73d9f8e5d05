//===- ChildProgram.h - Programs that work for this one ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_SUPPORT_CHILDPROGRAM_H
#define GNNC_SUPPORT_CHILDPROGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace gnnc {

/// Runs a program as llvm::sys::ExecuteAndWait does and returns what that returns; `secondsToWait` 0 is no limit. One
/// at a time. Signals that end this process meanwhile (SIGINT, SIGTERM, SIGHUP) end that program first: it does not
/// work on for nobody.
int runProgram(llvm::StringRef program, llvm::ArrayRef<llvm::StringRef> arguments,
               llvm::ArrayRef<std::optional<llvm::StringRef>> redirects, std::string &message,
               unsigned secondsToWait = 0);

} // namespace gnnc

#endif // GNNC_SUPPORT_CHILDPROGRAM_H
