//===- OutputFile.cpp - Files written whole or not at all -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using llvm::Error;
using llvm::StringRef;

static Error failed(StringRef path, Error error) {
  return llvm::createStringError("cannot write " + path + ": " + llvm::toString(std::move(error)));
}

Error gnnc::writeOutput(StringRef path, StringRef contents) {
  if (path == "-") {
    llvm::outs() << contents;
    llvm::outs().flush();
    std::error_code code = llvm::outs().error();
    llvm::outs().clear_error(); // else the stream aborts at exit
    return code ? failed("standard output", llvm::errorCodeToError(code)) : Error::success();
  }
  auto temporary =
      llvm::sys::fs::TempFile::create(path + ".%%%%%%.tmp", llvm::sys::fs::all_read | llvm::sys::fs::owner_write);
  if (!temporary)
    return failed(path, temporary.takeError());
  llvm::raw_fd_ostream stream(temporary->FD, /*shouldClose=*/false);
  stream << contents;
  stream.flush();
  if (stream.has_error()) {
    std::error_code code = stream.error();
    stream.clear_error();
    llvm::consumeError(temporary->discard());
    return failed(path, llvm::errorCodeToError(code));
  }
  if (Error error = temporary->keep(path)) {
    llvm::consumeError(temporary->discard());
    return failed(path, std::move(error));
  }
  return Error::success();
}
