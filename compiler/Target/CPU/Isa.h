//===- Isa.h - Instruction sets of the CPU target ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instruction sets that a compiled library carries, and what kernels must know of them: the width of a vector and
// whether there is a fused multiply-add.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TARGET_CPU_ISA_H
#define GNNC_TARGET_CPU_ISA_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace gnnc {

/// The psABI's micro-architecture levels, in ascending order.
enum class Isa { X86_64_V2, X86_64_V3, X86_64_V4 };

/// All of them, in the order in which a library lists them (best last).
llvm::ArrayRef<Isa> allIsas();

/// `x86-64-v3`: what `--target=` and `gnn_isa_t::name` say, and LLVM's name of the processor.
llvm::StringRef isaName(Isa isa);

/// The suffix of the names of the instruction set's functions: `.v3`.
llvm::StringRef isaSuffix(Isa isa);

std::optional<Isa> parseIsa(llvm::StringRef name);

/// The best that this machine runs, if any.
std::optional<Isa> hostIsa();

/// Bits of a vector register: 128, 256, 512.
unsigned vectorBits(Isa isa);

/// Whether `a * b + c` can be rounded once.
bool hasFma(Isa isa);

} // namespace gnnc

#endif // GNNC_TARGET_CPU_ISA_H
