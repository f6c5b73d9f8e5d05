//===- Weights.h - Imported weights as safetensors --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_IMPORT_WEIGHTS_H
#define GNNC_IMPORT_WEIGHTS_H

#include "compiler/Import/ProgramText.h"

namespace gnnc::pt2 {

/// The numbers of a weight in the order that the written model has them.
std::vector<double> mappedNumbers(const StoredTensor &tensor, bool isTransposed, const std::vector<double> &numbers);

/// A safetensors file of all weights in float32. Its metadata has one line for each: `conv1.W <- conv1.lin.weight
/// transposed`.
std::string writeWeights(const Program &program, const ProgramText &text);

} // namespace gnnc::pt2

#endif // GNNC_IMPORT_WEIGHTS_H
