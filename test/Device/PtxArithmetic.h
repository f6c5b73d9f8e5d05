//===- PtxArithmetic.h - What PTX instructions compute ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions without memory or control: values in, a value out. Registers are 64 bits wide; what an instruction's
// type does not cover is 0.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_DEVICE_PTXARITHMETIC_H
#define GNNC_TEST_DEVICE_PTXARITHMETIC_H

#include "PtxModule.h"

namespace ptx {

/// The lowest `bits` of a value.
inline uint64_t truncate(uint64_t value, unsigned bits) { return bits == 64 ? value : value & ((1ull << bits) - 1); }
/// The same as a signed number.
inline int64_t extend(uint64_t value, unsigned bits) { return int64_t(value << (64 - bits)) >> (64 - bits); }

using Function = uint64_t (*)(const Instruction &, const uint64_t *values);

/// What computes the result of `instruction` from its source operands; bits above its type may be set. Throws `Error`
/// for one that is not known.
Function functionOf(const Instruction &instruction);

} // namespace ptx

#endif // GNNC_TEST_DEVICE_PTXARITHMETIC_H
