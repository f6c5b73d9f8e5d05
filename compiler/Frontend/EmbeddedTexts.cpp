//===- EmbeddedTexts.cpp - Texts that the program carries -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of embedded texts.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/EmbeddedTexts.h"

std::optional<llvm::StringRef> gnnc::embeddedText(llvm::StringRef stem) {
  struct Entry {
    llvm::StringRef stem, text;
  };
  static const Entry entries[] = {
#define TEXT(STEM, CONTENTS) {STEM, CONTENTS},
#include "EmbeddedTexts.inc"
#undef TEXT
  };
  for (const Entry &entry : entries)
    if (entry.stem == stem)
      return entry.text;
  return std::nullopt;
}
