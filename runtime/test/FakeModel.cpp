//===- FakeModel.cpp - The fake library as a shared library ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeLibrary.h"

namespace {
const FakeLibrary fake;
}

extern "C" __attribute__((visibility("default"))) gnn_library_t gnn_library_v1;
gnn_library_t gnn_library_v1 = fake.library;
