//===- ClassWeights.h - What classes weigh in a loss ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The training loss is then the sum of weight times loss, divided by the sum of the weights, as that of PyTorch's
// CrossEntropyLoss(weight=...).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_CLASSWEIGHTS_H
#define GNN_TRAIN_CLASSWEIGHTS_H

#include <string>
#include <vector>

namespace gnn::rt {

class ClassWeights {
public:
  /// Empty or `equal`: all weigh the same. `balanced`: each class as all others together weigh, rows / (classes that
  /// there are * rows of the class). `1,5,0.5`: those of classes 0, 1, 2. Throws GNN_ERROR_ARGUMENT for other text.
  static ClassWeights parse(const std::string &text);
  std::string text() const;
  bool areEqual() const { return !isBalanced && numbers.empty(); }

  /// The weight of each row by its class. Throws GNN_ERROR_DATA, naming `where`, for a number that is no class, and
  /// GNN_ERROR_MISMATCH for a class without a weight or if all rows weigh 0.
  std::vector<double> of(const std::vector<double> &classes, const std::string &where) const;

private:
  bool isBalanced = false;
  std::vector<double> numbers;
};

} // namespace gnn::rt

#endif // GNN_TRAIN_CLASSWEIGHTS_H
