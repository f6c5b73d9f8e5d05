//===- NumberColumn.h - Numbers that lose no digits -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 32 bits hold integers up to 2^24 exactly. Times and ids are larger: two of them would become one.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_NUMBERCOLUMN_H
#define GNN_TOOLS_DATA_NUMBERCOLUMN_H

#include "runtime/src/core/Tensor.h"
#include <cstdint>
#include <string_view>
#include <vector>

namespace gnn::data_tool {

/// When a row becomes known: while the model is trained, validated or tested.
enum class Phase : uint8_t { Train, Val, Test };

/// A table in f32 if all of its numbers fit, else as it is. Its elements are integers or reals.
rt::Tensor narrowed(const rt::Tensor &table);

/// Numbers as the cells of a column come.
class NumberColumn {
public:
  /// False: the cell is no number, or an integer or a number beyond 64 bits; nothing is added.
  bool add(std::string_view cell);
  /// Adds a row without a number: the mean of the others stands for it, rounded where the column is of integers that
  /// f32 would round.
  void addMissing();
  const std::vector<uint64_t> &missing() const { return missingRows; }
  /// Whether all are integers, none twice and none missing.
  bool areKeys() const;
  size_t size() const { return areIntegers ? integers.size() : reals.size(); }
  /// f32 if all numbers fit, else i64 if all are integers, else f64. If rows have phases, the mean that stands for
  /// missing numbers is that of the rows that train.
  rt::Tensor tensor(const std::vector<Phase> &phases = {}) const;

private:
  bool areIntegers = true;
  std::vector<int64_t> integers;
  std::vector<double> reals;
  std::vector<uint64_t> missingRows;
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_NUMBERCOLUMN_H
