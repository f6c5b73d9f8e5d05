//===- Elements.cpp - Elements of files and of other libraries -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of raw strided bytes to tensors.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Elements.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Narrow.h"
#include <algorithm>
#include <cstring>

using namespace gnn::rt;

size_t gnn::rt::foreignBytes(ForeignElement element) {
  switch (element) {
  case ForeignElement::I8:
  case ForeignElement::U8:
  case ForeignElement::Bool:
    return 1;
  case ForeignElement::F16:
  case ForeignElement::BF16:
  case ForeignElement::I16:
  case ForeignElement::U16:
    return 2;
  case ForeignElement::F32:
  case ForeignElement::I32:
  case ForeignElement::U32:
    return 4;
  case ForeignElement::F64:
  case ForeignElement::I64:
  case ForeignElement::U64:
    break;
  }
  return 8;
}

uint32_t gnn::rt::nativeElement(ForeignElement element) {
  switch (element) {
  case ForeignElement::F16:
  case ForeignElement::BF16:
  case ForeignElement::F32:
    return GNN_F32;
  case ForeignElement::F64:
    return GNN_F64;
  case ForeignElement::I8:
  case ForeignElement::U8:
  case ForeignElement::I16:
  case ForeignElement::U16:
  case ForeignElement::I32:
    return GNN_I32;
  case ForeignElement::U32:
  case ForeignElement::I64:
  case ForeignElement::U64:
    return GNN_I64;
  case ForeignElement::Bool:
    break;
  }
  return GNN_BOOL;
}

bool gnn::rt::isNative(ForeignElement element) {
  switch (element) {
  case ForeignElement::F32:
  case ForeignElement::F64:
  case ForeignElement::I32:
  case ForeignElement::I64:
    return true;
  default: // bools too are converted: their bytes have to be checked
    return false;
  }
}

std::vector<int64_t> gnn::rt::contiguousStrides(const std::vector<int64_t> &shape, size_t elementBytes,
                                                bool columnMajor) {
  std::vector<int64_t> strides(shape.size());
  int64_t stride = int64_t(elementBytes);
  for (size_t k = 0; k < shape.size(); ++k) {
    size_t i = columnMajor ? k : shape.size() - 1 - k;
    strides[i] = stride;
    stride *= std::max<int64_t>(shape[i], 1);
  }
  return strides;
}

namespace {

/// Walks a strided array in row-major order.
class Odometer {
public:
  Odometer(const std::vector<int64_t> &shape, const std::vector<int64_t> &strides)
      : shape(shape), strides(strides), index(shape.size()) {}
  int64_t offset() const { return position; }
  void next() {
    for (size_t i = shape.size(); i-- > 0;) {
      position += strides[i];
      if (++index[i] < shape[i])
        return;
      position -= strides[i] * shape[i];
      index[i] = 0;
    }
  }

private:
  const std::vector<int64_t> &shape, &strides;
  std::vector<int64_t> index;
  int64_t position = 0;
};

struct Source {
  const unsigned char *data;
  const std::vector<int64_t> &shape, &strides;
  bool swapBytes;
};

template <class Raw, class To, class Convert>
void copyElements(const Source &source, Tensor &result, Convert &&convert) {
  To *to = result.mutableData<To>();
  Odometer odometer(source.shape, source.strides);
  for (int64_t i = 0; i < result.count(); ++i, odometer.next()) {
    unsigned char bytes[sizeof(Raw)];
    std::memcpy(bytes, source.data + odometer.offset(), sizeof(Raw));
    if (source.swapBytes)
      std::reverse(bytes, bytes + sizeof(Raw));
    Raw raw;
    std::memcpy(&raw, bytes, sizeof(Raw));
    to[i] = convert(raw, i);
  }
}

template <class Raw, class To> void copyPlain(const Source &source, Tensor &result) {
  copyElements<Raw, To>(source, result, [](Raw raw, int64_t) { return To(raw); });
}

} // namespace

Tensor gnn::rt::copyForeign(const void *data, ForeignElement element, bool swapBytes, const std::vector<int64_t> &shape,
                            const std::vector<int64_t> &byteStrides, const std::string &what) {
  Tensor result = Tensor::empty(nativeElement(element), shape);
  Source source{static_cast<const unsigned char *>(data), shape, byteStrides, swapBytes};
  switch (element) {
  case ForeignElement::F16:
    copyElements<uint16_t, float>(source, result, [](uint16_t raw, int64_t) { return widenedF16(raw); });
    break;
  case ForeignElement::BF16:
    copyElements<uint16_t, float>(source, result, [](uint16_t raw, int64_t) { return widenedBf16(raw); });
    break;
  case ForeignElement::F32:
    copyPlain<float, float>(source, result);
    break;
  case ForeignElement::F64:
    copyPlain<double, double>(source, result);
    break;
  case ForeignElement::I8:
    copyPlain<int8_t, int32_t>(source, result);
    break;
  case ForeignElement::I16:
    copyPlain<int16_t, int32_t>(source, result);
    break;
  case ForeignElement::I32:
    copyPlain<int32_t, int32_t>(source, result);
    break;
  case ForeignElement::I64:
    copyPlain<int64_t, int64_t>(source, result);
    break;
  case ForeignElement::U8:
    copyPlain<uint8_t, int32_t>(source, result);
    break;
  case ForeignElement::U16:
    copyPlain<uint16_t, int32_t>(source, result);
    break;
  case ForeignElement::U32:
    copyPlain<uint32_t, int64_t>(source, result);
    break;
  case ForeignElement::U64:
    copyElements<uint64_t, int64_t>(source, result, [&](uint64_t raw, int64_t i) {
      require(raw <= uint64_t(INT64_MAX), GNN_ERROR_DATA, what, ": element ", i, " is ", raw, ", which is no i64");
      return int64_t(raw);
    });
    break;
  case ForeignElement::Bool:
    copyElements<uint8_t, uint8_t>(source, result, [&](uint8_t raw, int64_t i) {
      require(raw <= 1, GNN_ERROR_DATA, what, ": element ", i, " is the byte ", int(raw), ", expected a bool (0 or 1)");
      return raw;
    });
    break;
  }
  return result;
}
