//===- safetensors_fuzz.cpp - Fuzzing the safetensors reader ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes give tensors or a data error.
//
//===----------------------------------------------------------------------===//

#include "gnn/error.hpp"
#include "runtime/src/io/Safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  try {
    gnn::rt::parseSafetensors(gnn::rt::copyBytes({reinterpret_cast<const char *>(data), size}), "fuzz.safetensors");
  } catch (const gnn::Error &) {
  }
  return 0;
}
