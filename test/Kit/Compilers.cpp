//===- Compilers.cpp - gnnc and what compares its code, in one program ----===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kit for machines with a GPU has LLVM once: this program is gnnc, gnn-verify or gnn-smith, as it is called.
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/Driver.h"
#include <cstring>

int mainOfVerify(int argc, char **argv);
int mainOfSmith(int argc, char **argv);

int main(int argc, char **argv) {
  const char *slash = std::strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
  if (!std::strcmp(name, "gnn-verify"))
    return mainOfVerify(argc, argv);
  if (!std::strcmp(name, "gnn-smith"))
    return mainOfSmith(argc, argv);
  return gnnc::runDriver(argc, argv);
}
