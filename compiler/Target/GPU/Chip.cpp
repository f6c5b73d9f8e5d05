//===- Chip.cpp - Devices that code is made for ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Chip.h"

namespace gnnc {

// The oldest has maxima that keep NaN; the newest is the last that LLVM 19 knows.
static constexpr Chip chips[] = {{"sm_80", "ptx70", 2048, 32, 164 * 1024},
                                 {"sm_86", "ptx71", 1536, 16, 100 * 1024},
                                 {"sm_89", "ptx78", 1536, 24, 100 * 1024},
                                 {"sm_90", "ptx78", 2048, 32, 228 * 1024}};

llvm::ArrayRef<Chip> allChips() { return chips; }

unsigned Chip::arch() const {
  unsigned number = 0;
  llvm::StringRef digits = name;
  bool failed = !digits.consume_front("sm_") || digits.getAsInteger(10, number);
  assert(!failed && "a chip's name is sm_ and a number");
  (void)failed;
  return number;
}

std::optional<Chip> parseChip(llvm::StringRef name) {
  for (const Chip &chip : chips)
    if (chip.name == name)
      return chip;
  return std::nullopt;
}

} // namespace gnnc
