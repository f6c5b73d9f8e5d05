//===- Tensor.h - Tensors inside the library -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor is a value: element type, shape and a share of its storage. Copying one is cheap and shares the data.
// `gnn_tensor_t` is this struct behind a handle.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_TENSOR_H
#define GNN_CORE_TENSOR_H

#include "gnn/tensor.h"
#include "runtime/src/core/Span.h"
#include <memory>
#include <string>
#include <vector>

namespace gnn::rt {

/// Bytes of one element of GNN_F32 … GNN_BOOL, GNN_BF16, GNN_F16.
size_t elementBytes(uint32_t element);
/// "f32", "f64", "i32", "i64", "bool".
const char *elementName(uint32_t element);
/// "[2708, 16]".
std::string shapeText(const std::vector<int64_t> &shape);

template <class T> constexpr uint32_t elementOf() {
  if constexpr (std::is_same_v<T, float>)
    return GNN_F32;
  else if constexpr (std::is_same_v<T, double>)
    return GNN_F64;
  else if constexpr (std::is_same_v<T, int32_t>)
    return GNN_I32;
  else if constexpr (std::is_same_v<T, int64_t>)
    return GNN_I64;
  else {
    static_assert(std::is_same_v<T, bool> || std::is_same_v<T, uint8_t>, "not an element type");
    return GNN_BOOL;
  }
}

/// Memory of a GPU, or of this process as a copy of that.
class DeviceStorage {
public:
  virtual ~DeviceStorage() = default;
  /// N of cuda:N; -1: this process reads and writes its copy.
  virtual int device() const = 0;
  /// Copies to memory of this process, unless that has a copy.
  virtual void read(void *to, const void *from, size_t bytes) {}
  /// Before this process reads its copy or, if `isWritten`, changes it too.
  virtual void touch(bool isWritten) {}
  /// The same storage for an application, which reads and writes the copy between calls until it gives this up.
  virtual std::shared_ptr<DeviceStorage> lend(std::shared_ptr<DeviceStorage> self) { return self; }
};

class Tensor {
public:
  Tensor() = default; // no tensor: tests false

  /// Not initialised, aligned to 64 bytes. Throws on bad extents, overflow or exhausted memory.
  static Tensor empty(uint32_t element, std::vector<int64_t> shape);
  static Tensor zeros(uint32_t element, std::vector<int64_t> shape);
  /// A copy of `values` in a new tensor of shape [values.size()] or `shape`.
  template <class T> static Tensor of(const std::vector<T> &values) { return of(values, {int64_t(values.size())}); }
  template <class T> static Tensor of(const std::vector<T> &values, std::vector<int64_t> shape) {
    Tensor result = empty(elementOf<T>(), std::move(shape));
    std::copy(values.begin(), values.end(), result.mutableData<T>());
    return result;
  }
  /// Memory that `owner` keeps alive (nothing does, if null). `data` must be aligned to the element; it may be null if
  /// there are no elements.
  static Tensor view(std::shared_ptr<void> owner, void *data, uint32_t element, std::vector<int64_t> shape,
                     bool readOnly = false);

  /// The same for memory of a GPU.
  static Tensor viewThere(std::shared_ptr<DeviceStorage> owner, void *data, uint32_t element,
                          std::vector<int64_t> shape, bool readOnly = false);

  explicit operator bool() const { return pointer != nullptr; }
  uint32_t element() const { return elementType; }
  const std::vector<int64_t> &shape() const { return extents; }
  size_t rank() const { return extents.size(); }
  int64_t dim(size_t i) const { return extents[i]; }
  int64_t count() const { return elements; }
  size_t bytes() const { return size_t(elements) * elementBytes(elementType); }
  bool readOnly() const { return isReadOnly; }
  /// Whether no other tensor has this storage, so that it may be written anew.
  bool isSole() const;

  /// N of cuda:N whose memory the data are in; -1: that of this process, which all that reads them needs.
  int device() const { return foreign ? foreign->device() : -1; }
  /// This tensor, or a copy in memory of this process.
  Tensor onHost() const;

  /// The same for an application to keep: what it writes between calls, later ones see.
  Tensor lent() const;

  const void *data() const {
    if (foreign)
      foreign->touch(/*isWritten=*/false);
    return pointer;
  }
  /// The address of the data, or the data of a lent tensor, which are up to date.
  const void *lentData() const { return pointer; }
  /// For writing. Throws if the tensor is read-only.
  void *mutableData();
  template <class T> const T *data() const {
    assert(elementOf<T>() == elementType);
    return static_cast<const T *>(data());
  }
  template <class T> T *mutableData() {
    assert(elementOf<T>() == elementType);
    return static_cast<T *>(mutableData());
  }
  template <class T> Span<const T> values() const { return {data<T>(), size_t(elements)}; }

  /// The same storage under another shape of the same count.
  Tensor reshaped(std::vector<int64_t> shape) const;
  /// A copy of these rows, numbers of the first dimension.
  Tensor rowsAt(Span<const int64_t> rows) const;
  /// A copy converted to `element`. Integers that don't fit throw with `what` named; reals become integers only if they
  /// are whole.
  Tensor converted(uint32_t element, const std::string &what) const;
  /// This tensor if it has that element type, else converted.
  Tensor as(uint32_t element, const std::string &what) const {
    return element == elementType ? *this : converted(element, what);
  }

private:
  std::shared_ptr<void> storage;
  std::shared_ptr<DeviceStorage> foreign; // the same; null for memory of this process
  void *pointer = nullptr;
  uint32_t elementType = GNN_F32;
  bool isReadOnly = false;
  std::vector<int64_t> extents;
  int64_t elements = 0;
};

/// Element `i` of a tensor of any element type.
double numberAt(const Tensor &tensor, int64_t i);

/// The product of `shape`; throws on negative extents, overflow or more than GNN_MAX_RANK of them.
int64_t countElements(const std::vector<int64_t> &shape, uint32_t element);

} // namespace gnn::rt

struct gnn_tensor_t {
  gnn::rt::Tensor value;
};

#endif // GNN_CORE_TENSOR_H
