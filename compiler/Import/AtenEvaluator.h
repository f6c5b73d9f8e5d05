//===- AtenEvaluator.h - Exported programs in float64 -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs an exported program as PyTorch would, with views that share memory and ops that write it, in float64. It shares
// the reader with raising and nothing else, so that an error of raising shows as a difference.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_IMPORT_ATENEVALUATOR_H
#define GNNC_IMPORT_ATENEVALUATOR_H

#include "compiler/Import/ExportedProgram.h"
#include <memory>

namespace gnnc::pt2 {

/// A strided view of numbers. Integers and booleans are kept as doubles, too.
struct Tensor {
  std::shared_ptr<std::vector<double>> memory;
  std::vector<int64_t> sizes, strides;
  int64_t offset = 0;

  static Tensor dense(std::vector<int64_t> sizes, std::vector<double> numbers);
  static Tensor filled(std::vector<int64_t> sizes, double value);

  int64_t rank() const { return int64_t(sizes.size()); }
  int64_t count() const;
  /// The place in memory of the `i`-th element in row-major order.
  int64_t place(int64_t i) const;
  double at(int64_t i) const { return (*memory)[place(i)]; }
  double &at(int64_t i) { return (*memory)[place(i)]; }
  std::vector<double> numbers() const;
};

/// The outputs. `values` has the inputs, parameters and buffers by name.
std::vector<Tensor> evaluateProgram(const Program &program, std::map<std::string, Tensor> values);

} // namespace gnnc::pt2

#endif // GNNC_IMPORT_ATENEVALUATOR_H
