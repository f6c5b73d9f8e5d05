//===- tensor.hpp - Tensors in C++ -----------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thin owner of gnn_tensor_t. Copying shares the storage. Failures throw gnn::Error.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TENSOR_HPP
#define GNN_TENSOR_HPP

#include "gnn/error.hpp"
#include "gnn/tensor.h"
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace gnn {

template <class T> struct ElementOf;
template <> struct ElementOf<float> { static constexpr uint32_t value = GNN_F32; };
template <> struct ElementOf<double> { static constexpr uint32_t value = GNN_F64; };
template <> struct ElementOf<int32_t> { static constexpr uint32_t value = GNN_I32; };
template <> struct ElementOf<int64_t> { static constexpr uint32_t value = GNN_I64; };
template <> struct ElementOf<bool> { static constexpr uint32_t value = GNN_BOOL; };

class Tensor {
public:
  Tensor() = default;
  /// Takes over the handle.
  explicit Tensor(gnn_tensor_t *taken) : handle(taken) {}
  Tensor(const Tensor &other) {
    if (other.handle)
      check(gnn_tensor_share(other.handle, &handle));
  }
  Tensor(Tensor &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  Tensor &operator=(Tensor other) noexcept {
    std::swap(handle, other.handle);
    return *this;
  }
  ~Tensor() { gnn_tensor_destroy(handle); }

  template <class T> static Tensor zeros(const std::vector<int64_t> &shape) {
    Tensor result;
    check(gnn_tensor_create(ElementOf<T>::value, uint32_t(shape.size()), shape.data(), &result.handle));
    return result;
  }
  /// A copy of `values` in the given shape, whose product must be their number.
  template <class T> static Tensor copy(const std::vector<T> &values, const std::vector<int64_t> &shape) {
    Tensor result = zeros<T>(shape);
    if (size_t(result.count()) != values.size())
      throw Error(GNN_ERROR_ARGUMENT, "the number of values is not the product of the shape");
    std::copy(values.begin(), values.end(), result.mutableData<T>());
    return result;
  }
  /// The caller's memory without a copy; `release` runs when its last user is gone.
  template <class T>
  static Tensor view(T *data, const std::vector<int64_t> &shape, std::function<void()> release = {}) {
    auto *context = release ? new std::function<void()>(std::move(release)) : nullptr;
    auto call = [](void *kept) {
      auto *function = static_cast<std::function<void()> *>(kept);
      (*function)();
      delete function;
    };
    Tensor result;
    gnn_status_t status = gnn_tensor_view(data, ElementOf<T>::value, uint32_t(shape.size()), shape.data(),
                                          context ? +call : nullptr, context, &result.handle);
    if (status != GNN_OK)
      delete context;
    check(status);
    return result;
  }
  /// Takes over `managed` (a DLManagedTensorVersioned) unless it throws.
  static Tensor fromDlpack(gnn_dl_managed_tensor_t *managed) {
    Tensor result;
    check(gnn_tensor_from_dlpack(managed, &result.handle));
    return result;
  }
  gnn_dl_managed_tensor_t *toDlpack() const {
    gnn_dl_managed_tensor_t *managed = nullptr;
    check(gnn_tensor_to_dlpack(handle, &managed));
    return managed;
  }

  explicit operator bool() const { return handle != nullptr; }
  uint32_t element() const { return gnn_tensor_element(handle); }
  std::vector<int64_t> shape() const {
    return {gnn_tensor_shape(handle), gnn_tensor_shape(handle) + gnn_tensor_rank(handle)};
  }
  /// N of cuda:N; -1: host memory.
  int device() const { return gnn_tensor_device(handle); }
  /// This tensor, or a copy of one of a GPU.
  Tensor toHost() const {
    Tensor result;
    check(gnn_tensor_to_host(handle, &result.handle));
    return result;
  }
  int64_t count() const { return gnn_tensor_count(handle); }
  /// Throws if the elements are not of type T, or not in host memory.
  template <class T> const T *data() const {
    expect(ElementOf<T>::value);
    return static_cast<const T *>(gnn_tensor_data(handle));
  }
  template <class T> T *mutableData() {
    expect(ElementOf<T>::value);
    void *data = nullptr;
    check(gnn_tensor_mutable_data(handle, &data));
    return static_cast<T *>(data);
  }

  gnn_tensor_t *get() const { return handle; }
  gnn_tensor_t *release() { return std::exchange(handle, nullptr); }

private:
  void expect(uint32_t wanted) const {
    if (!handle || element() != wanted)
      throw Error(GNN_ERROR_ARGUMENT, "the tensor has another element type than the one asked for");
    if (device() >= 0)
      throw Error(GNN_ERROR_ARGUMENT, "the tensor is in the memory of a GPU: toHost() copies it");
  }

  gnn_tensor_t *handle = nullptr;
};

} // namespace gnn

#endif // GNN_TENSOR_HPP
