//===- ModelBuilder.h - Appends values to a checked model -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sema's way to write a CheckedModel: joins graph kinds, counts hops, numbers dropout sites and limits the size of the
// expansion. Here nothing is checked; what is asked for is well typed.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_MODELBUILDER_H
#define GNNC_FRONTEND_MODELBUILDER_H

#include "compiler/Frontend/CheckedModel.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <tuple>

namespace gnnc {

/// The kind of an elementwise result (CheckedModel.h, GraphKind). The operands can be joined.
ValueType joinGraphKinds(llvm::ArrayRef<ValueType> types);

class ModelBuilder {
public:
  static constexpr unsigned maxValues = 100'000;
  /// Operations in a row that may be computed at once, with nothing stored between them. Code is emitted along them.
  static constexpr unsigned maxChain = 1024;

  explicit ModelBuilder(CheckedModel &model) : model(model) {}

  CheckedModel &model;
  std::string place; // of the values that are appended

  const Value &value(unsigned id) const { return model.values[id]; }
  const ValueType &type(unsigned id) const { return model.values[id].type; }
  bool isFull() const { return model.values.size() >= maxValues; }
  bool hasLongChain() const { return longestChain > maxChain; }

  /// Appends a value; `proto` has all but the hops.
  unsigned append(Value proto);
  /// An elementwise operation: the graph kind is joined from the operands.
  unsigned elementwise(ValueKind kind, llvm::ArrayRef<unsigned> operands, Shape shape, ElementKind element,
                       llvm::SMRange range);
  unsigned constant(double number, ElementKind element, llvm::SMRange range);
  /// The same V read twice at the same end is one value.
  unsigned read(unsigned vertexField, End end, unsigned relation, llvm::SMRange range);
  unsigned aggregate(Reduction reduction, llvm::ArrayRef<unsigned> operands, bool filtered, End toward,
                     unsigned relation, Loops loops, Shape shape, llvm::SMRange range, bool byType = false);
  uint64_t nextSite() { return ++lastSite; }

  /// Equal for two values that are computed alike (dropout masks never are).
  unsigned structuralNumber(unsigned id);

private:
  uint64_t lastSite = 0;
  std::vector<unsigned> chains; // of each value: operations on the longest path to it from what is stored
  unsigned longestChain = 0;
  std::map<std::tuple<unsigned, End, unsigned>, unsigned> reads;
  std::map<std::string, unsigned> numbers;
  std::vector<unsigned> numberOf;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_MODELBUILDER_H
