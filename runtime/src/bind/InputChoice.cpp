//===- InputChoice.cpp - Which form of an input its data has --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/bind/InputChoice.h"

#include "runtime/src/core/Guard.h"

#include <algorithm>
#include <cstdio>

namespace gnn::rt {

namespace {

template <class Real> int64_t nonzerosOf(const Tensor &table) {
  const Real *numbers = table.data<Real>();
  return std::count_if(numbers, numbers + table.count(), [](Real number) { return number != 0; });
}

} // namespace

InputChoice chooseInputForm(int64_t nonzeros, int64_t rows, int64_t columns) {
  const double elements = double(rows) * double(columns);
  char why[96];
  std::snprintf(why, sizeof why, "%.3g %% of %lld x %lld are not 0",
                elements > 0 ? 100 * double(nonzeros) / elements : 0, static_cast<long long>(rows),
                static_cast<long long>(columns));
  return {double(nonzeros) * elementsOfNonzero < elements ? InputForm::Sparse : InputForm::Dense, why};
}

InputChoice chooseInputForm(const Library &library, const Features &features) {
  const gnn_tensor_info_t &info = library.tensor(formedInput(library)->table);
  const Feature *found = featureOf(library, info, features);
  if (!found) // binding says what there is instead
    return {InputForm::Dense, "there is none"};
  if (found->sparse)
    return chooseInputForm(found->sparse->nonzeros(), found->sparse->rows(), found->sparse->columns());
  if (found->file)
    return {InputForm::Dense, "its rows are read from a file"};
  const Tensor &table = found->dense;
  if (table.device() >= 0)
    return {InputForm::Dense, "it is in the memory of a GPU"};
  if (table.rank() != 2 || (table.element() != GNN_F32 && table.element() != GNN_F64))
    return {InputForm::Dense, "it is no matrix of f32 or f64"};
  const int64_t nonzeros = table.element() == GNN_F32 ? nonzerosOf<float>(table) : nonzerosOf<double>(table);
  return chooseInputForm(nonzeros, table.dim(0), table.dim(1));
}

} // namespace gnn::rt
