//===- Tensor.cpp - Tensors inside the library -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Storage, shapes and checked conversion between element types.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Tensor.h"
#include "runtime/src/core/Buffer.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Narrow.h"
#include "runtime/src/core/Poison.h"
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

using namespace gnn::rt;

size_t gnn::rt::elementBytes(uint32_t element) {
  switch (element) {
  case GNN_F32:
  case GNN_I32:
    return 4;
  case GNN_F64:
  case GNN_I64:
    return 8;
  case GNN_BOOL:
    return 1;
  case GNN_BF16:
  case GNN_F16:
    return 2;
  }
  fail(GNN_ERROR_ARGUMENT, "unknown element type ", element);
}

const char *gnn::rt::elementName(uint32_t element) {
  constexpr const char *names[] = {"f32", "f64", "i32", "i64", "bool", "unknown", "bf16", "f16"};
  return element <= GNN_F16 ? names[element] : "unknown";
}

std::string gnn::rt::shapeText(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

double gnn::rt::numberAt(const Tensor &tensor, int64_t i) {
  switch (tensor.element()) {
  case GNN_F32:
    return double(tensor.data<float>()[i]);
  case GNN_F64:
    return tensor.data<double>()[i];
  case GNN_I32:
    return double(tensor.data<int32_t>()[i]);
  case GNN_I64:
    return double(tensor.data<int64_t>()[i]);
  case GNN_BF16:
  case GNN_F16:
    return double(widened(tensor.element(), static_cast<const uint16_t *>(tensor.data())[i]));
  default:
    return double(static_cast<const uint8_t *>(tensor.data())[i]);
  }
}

int64_t gnn::rt::countElements(const std::vector<int64_t> &shape, uint32_t element) {
  require(shape.size() <= GNN_MAX_RANK, GNN_ERROR_ARGUMENT, "a tensor of rank ", shape.size(), " has more than ",
          GNN_MAX_RANK, " extents");
  int64_t count = 1, bytes = 0;
  bool overflow = false, empty = false;
  for (int64_t extent : shape) {
    require(extent >= 0, GNN_ERROR_ARGUMENT, "shape ", shapeText(shape), " has a negative extent");
    empty |= extent == 0;
    overflow |= __builtin_mul_overflow(count, std::max<int64_t>(extent, 1), &count);
  }
  overflow |= __builtin_mul_overflow(count, int64_t(elementBytes(element)), &bytes);
  require(!overflow, GNN_ERROR_MEMORY, "a tensor of shape ", shapeText(shape), " exceeds the address space");
  return empty ? 0 : count;
}

Tensor Tensor::viewThere(std::shared_ptr<DeviceStorage> owner, void *data, uint32_t element, std::vector<int64_t> shape,
                         bool readOnly) {
  Tensor result = view(owner, data, element, std::move(shape), readOnly);
  result.foreign = std::move(owner);
  return result;
}

Tensor Tensor::onHost() const {
  if (device() < 0)
    return *this;
  Tensor copy = empty(elementType, extents);
  foreign->read(copy.mutableData(), pointer, bytes());
  return copy;
}

Tensor Tensor::lent() const {
  Tensor result = *this;
  if (foreign)
    result.storage = result.foreign = foreign->lend(foreign);
  return result;
}

Tensor Tensor::empty(uint32_t element, std::vector<int64_t> shape) {
  size_t bytes = size_t(countElements(shape, element)) * elementBytes(element);
  std::shared_ptr<void> storage(allocateAligned(bytes), std::free);
  void *data = storage.get();
  poison(data, bytes);
  return view(std::move(storage), data, element, std::move(shape));
}

Tensor Tensor::zeros(uint32_t element, std::vector<int64_t> shape) {
  Tensor result = empty(element, std::move(shape));
  std::memset(result.pointer, 0, result.bytes());
  return result;
}

Tensor Tensor::view(std::shared_ptr<void> owner, void *data, uint32_t element, std::vector<int64_t> shape,
                    bool readOnly) {
  Tensor result;
  result.elements = countElements(shape, element);
  if (!data) {
    require(result.elements == 0, GNN_ERROR_ARGUMENT, "a tensor of shape ", shapeText(shape), " has no data");
    owner = std::shared_ptr<void>(allocateAligned(0), std::free);
    data = owner.get();
  }
  require(reinterpret_cast<uintptr_t>(data) % elementBytes(element) == 0, GNN_ERROR_ARGUMENT,
          "the data of a tensor of ", elementName(element), " is not aligned to ", elementBytes(element), " bytes");
  result.storage = std::move(owner);
  result.pointer = data;
  result.elementType = element;
  result.isReadOnly = readOnly;
  result.extents = std::move(shape);
  return result;
}

void *Tensor::mutableData() {
  require(!isReadOnly, GNN_ERROR_ARGUMENT, "the tensor was imported as read-only");
  if (foreign)
    foreign->touch(/*isWritten=*/true);
  return pointer;
}

bool Tensor::isSole() const {
  if (storage.use_count() != (foreign ? 2 : 1)) // which is the same, and of this tensor too
    return false;
  // After what the thread did that gave the other tensor up; the copy is for ThreadSanitizer, which knows no fences.
  const std::shared_ptr<void> copy = storage;
  std::atomic_thread_fence(std::memory_order_acquire);
  return true;
}

Tensor Tensor::reshaped(std::vector<int64_t> shape) const {
  require(countElements(shape, elementType) == elements, GNN_ERROR_ARGUMENT, "a tensor of shape ", shapeText(extents),
          " can't take the shape ", shapeText(shape));
  Tensor result = *this;
  result.extents = std::move(shape);
  return result;
}

namespace {

/// Whether `value` is represented exactly by the integer type To.
template <class To, class From> bool fitsInteger(From value) {
  if constexpr (std::is_floating_point_v<From>) // the bounds are exact powers of two
    return value >= From(std::numeric_limits<To>::min()) && value < -From(std::numeric_limits<To>::min()) &&
           std::trunc(value) == value;
  else
    return value >= std::numeric_limits<To>::min() && value <= std::numeric_limits<To>::max();
}

template <class To, class From> void convertElements(const From *from, To *to, int64_t count, const std::string &what) {
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<To, bool>) {
      require(from[i] == From(0) || from[i] == From(1), GNN_ERROR_DATA, what, ": element ", i, " is ", from[i],
              ", expected 0 or 1");
    } else if constexpr (std::is_integral_v<To> && !std::is_same_v<From, bool>) {
      require(fitsInteger<To>(from[i]), GNN_ERROR_DATA, what, ": element ", i, " is ", from[i], ", which is no ",
              elementName(elementOf<To>()));
    }
    to[i] = To(from[i]);
  }
}

/// Calls `body` with a null pointer of the C++ type of `element`.
template <class Body> void withElementType(uint32_t element, Body &&body) {
  switch (element) {
  case GNN_F32:
    return body(static_cast<float *>(nullptr));
  case GNN_F64:
    return body(static_cast<double *>(nullptr));
  case GNN_I32:
    return body(static_cast<int32_t *>(nullptr));
  case GNN_I64:
    return body(static_cast<int64_t *>(nullptr));
  case GNN_BOOL:
    return body(static_cast<bool *>(nullptr));
  }
  fail(GNN_ERROR_ARGUMENT, "unknown element type ", element);
}

} // namespace

Tensor Tensor::rowsAt(Span<const int64_t> rows) const {
  std::vector<int64_t> shape = extents;
  const size_t rowBytes = shape[0] ? bytes() / size_t(shape[0]) : 0;
  shape[0] = int64_t(rows.size());
  Tensor result = empty(elementType, std::move(shape));
  auto *to = static_cast<char *>(result.mutableData());
  const auto *from = static_cast<const char *>(data());
  for (int64_t row : rows) {
    std::memcpy(to, from + size_t(row) * rowBytes, rowBytes);
    to += rowBytes;
  }
  return result;
}

Tensor Tensor::converted(uint32_t element, const std::string &what) const {
  Tensor result = empty(element, extents);
  if (element == elementType) {
    std::memcpy(result.pointer, data(), bytes());
    return result;
  }
  if (isNarrow(elementType)) {
    Tensor wide = element == GNN_F32 ? result : empty(GNN_F32, extents);
    widen(elementType, static_cast<const uint16_t *>(data()), wide.mutableData<float>(), elements);
    return element == GNN_F32 ? wide : wide.converted(element, what);
  }
  if (isNarrow(element)) {
    const Tensor wide = elementType == GNN_F32 ? *this : converted(GNN_F32, what);
    roundTo(element, wide.data<float>(), static_cast<uint16_t *>(result.mutableData()), elements);
    return result;
  }
  withElementType(elementType, [&](auto *from) {
    withElementType(element, [&](auto *to) {
      using From = std::remove_pointer_t<decltype(from)>;
      using To = std::remove_pointer_t<decltype(to)>;
      convertElements(static_cast<const From *>(data()), static_cast<To *>(result.pointer), elements, what);
    });
  });
  return result;
}
