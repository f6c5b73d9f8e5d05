//===- npy.hpp - .npy files in C++ -----------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single tensors in NumPy's files. Failures throw gnn::Error.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_NPY_HPP
#define GNN_NPY_HPP

#include "gnn/npy.h"
#include "gnn/tensor.hpp"
#include <string>

namespace gnn {

inline Tensor loadNpy(const std::string &path) {
  gnn_tensor_t *tensor = nullptr;
  check(gnn_npy_load(path.c_str(), &tensor));
  return Tensor(tensor);
}

inline void saveNpy(const Tensor &tensor, const std::string &path) { check(gnn_npy_save(tensor.get(), path.c_str())); }

} // namespace gnn

#endif // GNN_NPY_HPP
