//===- SameProgram.h - Whether two models compute alike ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_IMPORT_SAMEPROGRAM_H
#define GNNC_IMPORT_SAMEPROGRAM_H

#include "compiler/Frontend/CheckedModel.h"
#include <map>

namespace gnnc::pt2 {

/// A model, and for each of its parameters and states the name of a stored tensor. Parameters of two models with one
/// tensor hold the same numbers in row-major order.
struct ComparedModel {
  const CheckedModel &model;
  std::map<std::string, std::string> tensors;
};

/// Whether the outputs of the models, which have the same inputs, are equal by algebra over the real numbers, in
/// evaluation. True is a proof for all graphs and weights with which no value is infinite or NaN; false says nothing.
bool areSamePrograms(const ComparedModel &left, const ComparedModel &right);

} // namespace gnnc::pt2

#endif // GNNC_IMPORT_SAMEPROGRAM_H
