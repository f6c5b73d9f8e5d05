//===- NotFiniteInputs.cpp - Data that no model learns from ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/bind/NotFiniteInputs.h"

#include "runtime/src/core/Finite.h"

namespace gnn::rt {

namespace {

std::string text(const std::string &name, const NotFinite &found) {
  if (found.count == 0)
    return "";
  return std::to_string(found.count) + (found.count == 1 ? " value of " : " values of ") + name +
         (found.count == 1 ? " is" : " are") + " infinite or not a number, the first in row " +
         std::to_string(found.firstRow);
}

NotFinite findInSparse(const SparseMatrix &matrix) {
  NotFinite result;
  const NotFinite entries = findNotFinite(matrix.values());
  if (entries.count == 0)
    return result;
  for (int64_t row = 0; row < matrix.rows(); ++row) {
    const int64_t begin = matrix.indptr()[size_t(row)], end = matrix.indptr()[size_t(row) + 1];
    for (int64_t entry = begin; entry < end; ++entry)
      result.add(row, !areFinite(matrix.values().element(), matrix.values().data(), entry, entry + 1));
  }
  return result;
}

/// In the rows of a target whose `mask` is not 0: elsewhere a label may be none.
NotFinite findWhereMasked(const Tensor &target, const Tensor &mask) {
  NotFinite result;
  const int64_t width = mask.count() ? target.count() / mask.count() : 0;
  for (int64_t row = 0; row < mask.count(); ++row)
    if (numberAt(mask, row) != 0)
      for (int64_t i = row * width; i < (row + 1) * width; ++i)
        result.add(row, !areFinite(target.element(), target.data(), i, i + 1));
  return result;
}

/// In a table of so many rows, of which `rowsOf` gives some at a time.
template <class RowsOf> NotFinite findInPieces(int64_t rows, int64_t atOnce, RowsOf rowsOf) {
  NotFinite result;
  for (int64_t row = 0; row < rows; row += atOnce) {
    const NotFinite found = findNotFinite(rowsOf(row, std::min(atOnce, rows - row)));
    result.add(row + found.firstRow, found.count);
  }
  return result;
}

constexpr size_t pieceBytes = size_t(4) << 20;

std::string nameOf(const Library &library, const gnn_tensor_info_t &info) {
  return info.role == GNN_ROLE_WEIGHTS ? library.relation(info.source).name : info.name;
}

/// The mask of the loss as `binding` has it, if that is over the rows of `target`.
const Tensor *maskOf(const Library &library, const Binding &binding, const gnn_tensor_info_t &target) {
  for (uint32_t i = 0; i < library.tensors().size(); ++i) {
    const gnn_tensor_info_t &info = library.tensor(i);
    if (info.role == GNN_ROLE_MASK && info.domain == target.domain && info.type == target.type)
      return &binding.data(i);
  }
  return nullptr;
}

NotFinite findInBound(const Library &library, const Binding &binding, uint32_t tensor) {
  const gnn_tensor_info_t &info = library.tensor(tensor);
  if (info.role == GNN_ROLE_WEIGHTS)
    return findInSparse(binding.sparseInputs().of(info));
  if (const NpyFile *file = binding.paged().file(tensor))
    return findInPieces(file->shape()[0], file->rowsIn(pieceBytes),
                        [&](int64_t row, int64_t count) { return binding.paged().rows(tensor, row, count); });
  if ((info.role != GNN_ROLE_INPUT && info.role != GNN_ROLE_TARGET) || !binding.data(tensor))
    return {};
  const Tensor bound = binding.data(tensor).onHost();
  if (findNotFinite(bound).count == 0) // in another order it would be there twice
    return {};
  const Tensor table = binding.inOriginalOrder(info, bound);
  if (info.role == GNN_ROLE_INPUT)
    return findNotFinite(table);
  const Tensor *mask = maskOf(library, binding, info);
  return mask ? findWhereMasked(table, binding.inOriginalOrder(info, *mask)) : NotFinite();
}

} // namespace

std::string notFiniteText(const std::string &name, const Tensor &table) { return text(name, findNotFinite(table)); }

std::vector<std::string> notFiniteInputs(const Library &library, const Features &features) {
  std::vector<std::string> lines;
  for (const gnn_tensor_info_t &info : library.tensors()) {
    if (info.role != GNN_ROLE_INPUT && info.role != GNN_ROLE_WEIGHTS)
      continue;
    const Feature *feature = featureOf(library, info, features);
    if (!feature)
      continue;
    const NpyFile *file = feature->file.get();
    const NotFinite found = feature->sparse ? findInSparse(*feature->sparse)
                            : file          ? findInPieces(feature->rows(), file->rowsIn(pieceBytes),
                                                           [&](int64_t row, int64_t count) { return file->rows(row, count); })
                                            : findNotFinite(feature->dense);
    if (found.count > 0)
      lines.push_back(text(nameOf(library, info), found));
  }
  return lines;
}

std::vector<std::string> notFiniteInputs(const Library &library, const Binding &binding) {
  std::vector<std::string> lines;
  for (uint32_t i = 0; i < library.tensors().size(); ++i)
    if (NotFinite found = findInBound(library, binding, i); found.count > 0)
      lines.push_back(text(nameOf(library, library.tensor(i)), found));
  return lines;
}

} // namespace gnn::rt
