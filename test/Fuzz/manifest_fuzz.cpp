//===- manifest_fuzz.cpp - Any bytes as a library's manifest --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes give training defaults or a data error that names the manifest.
//
//===----------------------------------------------------------------------===//

#include "gnn/error.hpp"
#include "runtime/src/train/Recipe.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  try {
    gnn::rt::parseRecipe({reinterpret_cast<const char *>(data), size}, "fuzz.json");
  } catch (const gnn::Error &error) {
    if (error.code() != GNN_ERROR_DATA || std::string(error.what()).find("fuzz.json") == std::string::npos)
      __builtin_trap();
  }
  return 0;
}
