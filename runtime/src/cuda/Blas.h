//===- Blas.h - cuBLASLt, opened at run time --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dense products by NVIDIA's library, which is looked for when a model is to run on a GPU. The algorithm of a product
// is chosen when it is prepared and the workspace stays where it is, so that a product has the same bits in every run.
// Who finds no library, or no algorithm, does it with the runtime's own kernel (DeviceKernels).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_BLAS_H
#define GNN_CUDA_BLAS_H

#include "gnn/program.h"
#include "runtime/src/cuda/BlasApi.h"
#include "runtime/src/cuda/Device.h"

#include <optional>

namespace gnn::rt {

namespace blas {
struct Library {
#define GNN_BLAS_MEMBER(member, symbol, parameters) Status(*member) parameters;
  GNN_BLAS_FUNCTIONS(GNN_BLAS_MEMBER)
#undef GNN_BLAS_MEMBER
  size_t version; // 130100 for 13.1

  /// The cuBLASLt of a major version: the file or folder that the environment variable GNN_CUBLASLT names, else one of
  /// the usual places. Null if none there is of that version and has all functions.
  static const Library *find(unsigned major);
};
} // namespace blas

/// c = a b row by row, a or b maybe transposed: a is [m, k], or [k, m]; b is [k, n], or [n, k]; c is [m, n].
struct DenseProduct {
  cuda::Address a, b, c;
  int64_t m, n, k; // positive
  bool transposeA, transposeB;
  uint32_t factors = GNN_F32; // of a and b: GNN_F32, GNN_BF16 or GNN_F16; sums are of f32
  uint32_t result = GNN_F32;  // or that of a and b
};

/// A product that is prepared.
class BlasCall {
public:
  void launch(Device &device);

private:
  friend class Blas;
  template <class T> using Owned = std::unique_ptr<std::remove_pointer_t<T>, blas::Status (*)(T)>;

  BlasCall(const class Blas &owner, Owned<blas::Operation> operation, Owned<blas::Layout> left,
           Owned<blas::Layout> right, Owned<blas::Layout> result, const DenseProduct &product,
           const blas::Heuristic &chosen);

  const Blas *owner;
  Owned<blas::Operation> operation;
  Owned<blas::Layout> left, right, result;
  DenseProduct product;
  blas::Algorithm algorithm;
  size_t workspaceBytes;
  bool wasLaunched = false;
};

class Blas {
public:
  /// Null, which is said once on standard error, if there is no cuBLASLt or it does not work with the device.
  static std::unique_ptr<Blas> open(const std::shared_ptr<Device> &device);
  ~Blas();
  Blas(const Blas &) = delete;
  Blas &operator=(const Blas &) = delete;

  /// None where the library has no algorithm for it.
  std::optional<BlasCall> prepare(const DenseProduct &product) const;
  /// "cuBLASLt 13.1"
  std::string name() const;

private:
  friend class BlasCall;

  Blas(std::shared_ptr<Device> device, const blas::Library &library, blas::Handle handle);

  std::shared_ptr<Device> device;
  const blas::Library &library;
  blas::Handle handle;
  uint32_t functionName; // known to the device
  DeviceArray workspace;
};

} // namespace gnn::rt

#endif // GNN_CUDA_BLAS_H
