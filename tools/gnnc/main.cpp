//===- main.cpp - gnnc: the compiler --------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/Driver.h"

int main(int argc, char **argv) { return gnnc::runDriver(argc, argv); }
