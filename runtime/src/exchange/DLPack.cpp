//===- DLPack.cpp - Exchange of tensors ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors to and from DLPack 1.x (dmlc/dlpack, include/dlpack/dlpack.h).
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exchange/DLPack.h"
#include "runtime/src/core/Elements.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/cuda/DeviceTensor.h"
#include <optional>

using namespace gnn::rt;

namespace {

struct Export {
  gnn_dl_managed_tensor_t managed;
  Tensor tensor;
  std::vector<int64_t> shape, strides;
};

gnn_dl_type_t dlType(uint32_t element) {
  uint8_t bits = uint8_t(8 * elementBytes(element));
  uint8_t code = element == GNN_BOOL ? GNN_DL_BOOL : element <= GNN_F64 ? GNN_DL_FLOAT : GNN_DL_INT;
  return {code, bits, 1};
}

std::optional<ForeignElement> foreignElement(gnn_dl_type_t type) {
  if (type.lanes != 1)
    return std::nullopt;
  switch (type.code * 256 + type.bits) {
  case GNN_DL_FLOAT * 256 + 16:
    return ForeignElement::F16;
  case GNN_DL_FLOAT * 256 + 32:
    return ForeignElement::F32;
  case GNN_DL_FLOAT * 256 + 64:
    return ForeignElement::F64;
  case GNN_DL_BFLOAT * 256 + 16:
    return ForeignElement::BF16;
  case GNN_DL_INT * 256 + 8:
    return ForeignElement::I8;
  case GNN_DL_INT * 256 + 16:
    return ForeignElement::I16;
  case GNN_DL_INT * 256 + 32:
    return ForeignElement::I32;
  case GNN_DL_INT * 256 + 64:
    return ForeignElement::I64;
  case GNN_DL_UINT * 256 + 8:
    return ForeignElement::U8;
  case GNN_DL_UINT * 256 + 16:
    return ForeignElement::U16;
  case GNN_DL_UINT * 256 + 32:
    return ForeignElement::U32;
  case GNN_DL_UINT * 256 + 64:
    return ForeignElement::U64;
  case GNN_DL_BOOL * 256 + 8:
    return ForeignElement::Bool;
  default:
    return std::nullopt;
  }
}

void release(gnn_dl_managed_tensor_t *managed) {
  if (managed->deleter)
    managed->deleter(managed);
}

} // namespace

gnn_dl_managed_tensor_t *gnn::rt::toDLPack(const Tensor &tensor) {
  auto result = std::make_unique<Export>();
  result->tensor = tensor;
  result->shape = tensor.shape();
  for (int64_t stride : contiguousStrides(tensor.shape(), 1))
    result->strides.push_back(stride);
  gnn_dl_managed_tensor_t &managed = result->managed;
  managed.version = {GNN_DL_MAJOR, GNN_DL_MINOR};
  managed.manager_ctx = result.get();
  managed.deleter = [](gnn_dl_managed_tensor_t *self) { delete static_cast<Export *>(self->manager_ctx); };
  managed.flags = tensor.readOnly() ? GNN_DL_READ_ONLY : 0;
  managed.tensor = {const_cast<void *>(tensor.data()),
                    tensor.device() < 0 ? gnn_dl_device_t{GNN_DL_CPU, 0}
                                        : gnn_dl_device_t{GNN_DL_CUDA, tensor.device()},
                    int32_t(tensor.rank()),
                    dlType(tensor.element()),
                    result->shape.data(),
                    result->strides.data(),
                    0};
  return &result.release()->managed;
}

Tensor gnn::rt::fromDLPack(gnn_dl_managed_tensor_t *managed) {
  require(managed->version.major == GNN_DL_MAJOR, GNN_ERROR_VERSION, "the DLPack tensor is of version ",
          managed->version.major, ".", managed->version.minor, ", expected ", GNN_DL_MAJOR, ".x");
  const gnn_dl_tensor_t &from = managed->tensor;
  const bool isOfGpu = from.device.type == GNN_DL_CUDA;
  require(isOfGpu || from.device.type == GNN_DL_CPU || from.device.type == GNN_DL_CUDA_HOST, GNN_ERROR_MISMATCH,
          "the DLPack tensor is on a device of type ", from.device.type, ", expected host memory or a GPU's");
  std::optional<ForeignElement> element = foreignElement(from.dtype);
  require(element.has_value(), GNN_ERROR_MISMATCH, "the DLPack tensor has elements of type code ", int(from.dtype.code),
          ", ", int(from.dtype.bits), " bits, ", from.dtype.lanes, " lanes, which is not supported");
  require(from.ndim >= 0 && from.ndim <= GNN_MAX_RANK && (from.ndim == 0 || from.shape), GNN_ERROR_DATA,
          "the DLPack tensor has rank ", from.ndim, ", expected 0 to ", GNN_MAX_RANK);
  std::vector<int64_t> shape(from.shape, from.shape + from.ndim);
  int64_t count = countElements(shape, nativeElement(*element));
  require(count == 0 || from.data, GNN_ERROR_DATA, "the DLPack tensor of shape ", shapeText(shape), " has no data");

  std::vector<int64_t> contiguous = contiguousStrides(shape, foreignBytes(*element)), strides = contiguous;
  if (from.strides && count > 0)
    for (size_t i = 0; i < shape.size(); ++i)
      strides[i] = shape[i] == 1 ? contiguous[i] : from.strides[i] * int64_t(foreignBytes(*element));
  void *data = from.data ? static_cast<char *>(from.data) + from.byte_offset : nullptr;
  bool aligned = reinterpret_cast<uintptr_t>(data) % foreignBytes(*element) == 0;
  const bool isAsOurs = isNative(*element) && strides == contiguous && aligned;
  require(isAsOurs || !isOfGpu || count == 0, GNN_ERROR_MISMATCH, "the DLPack tensor of shape ", shapeText(shape),
          " in the memory of cuda:", from.device.id, " must be contiguous, aligned and of f32, f64, i32, i64 or bool");
  if (count == 0 || !isAsOurs) {
    Tensor copy = copyForeign(data, *element, /*swapBytes=*/false, shape, strides, "the DLPack tensor");
    release(managed);
    return copy;
  }
  // Both allocations of the keep-alive happen before it owns anything, so a failure leaves `managed` with the caller.
  struct Import {
    gnn_dl_managed_tensor_t *managed = nullptr;
    ~Import() {
      if (managed)
        release(managed);
    }
  };
  auto owner = std::make_shared<Import>();
  const bool isReadOnly = managed->flags & GNN_DL_READ_ONLY;
  Tensor result = isOfGpu ? deviceView(from.device.id, owner, data, nativeElement(*element), shape, isReadOnly)
                          : Tensor::view(owner, data, nativeElement(*element), shape, isReadOnly);
  owner->managed = managed;
  return result;
}
