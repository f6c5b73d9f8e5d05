//===- format_fuzz.cpp - Any bytes, formatted -----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formatter throws if its result means something else, so what is left to see is that formatting twice is
// formatting once.
//
//===----------------------------------------------------------------------===//

#include "compiler/Formatter/Formatter.h"

using namespace gnnc;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  DiagnosticEngine diagnostics;
  std::optional<std::string> once = format(text, diagnostics);
  if (once.has_value() == diagnostics.hasErrors())
    __builtin_trap();
  if (once && format(*once, diagnostics) != once)
    __builtin_trap();
  return 0;
}
