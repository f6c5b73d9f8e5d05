//===- Chip.h - Devices that code is made for -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The NVIDIA architectures that `--target` names, with the version of PTX that each needs.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TARGET_GPU_CHIP_H
#define GNNC_TARGET_GPU_CHIP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace gnnc {

struct Chip {
  llvm::StringLiteral name; // sm_90
  llvm::StringLiteral ptx;  // LLVM's name of the version: ptx78
  // Limits of a multiprocessor.
  unsigned maxThreads, maxBlocks, sharedBytes;

  /// Shared memory that a block may have; the system reserves 1 KiB for each block.
  unsigned blockSharedBytes() const { return sharedBytes - 1024; }
  /// 90 of sm_90.
  unsigned arch() const;
};

/// In ascending order. Code for one runs on chips of the same major number; its PTX on all that are newer.
llvm::ArrayRef<Chip> allChips();
std::optional<Chip> parseChip(llvm::StringRef name);

} // namespace gnnc

#endif // GNNC_TARGET_GPU_CHIP_H
