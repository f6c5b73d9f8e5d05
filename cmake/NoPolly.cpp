//===- NoPolly.cpp - The part of LLVM that Debian's archives lack ---------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lld can optimize bitcode while it links, and Debian's LLVM was built to do so with Polly. We link no bitcode; this
// stands in for Polly where LLVM is linked from its archives (GNNC_PACKAGED).
//
//===----------------------------------------------------------------------===//

#include "llvm/Passes/PassPlugin.h"

llvm::PassPluginLibraryInfo getPollyPluginInfo();

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "none", [](llvm::PassBuilder &) {}};
}
