//===- Buffer.h - Aligned uninitialised arrays -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An owned array of a trivial type, aligned to 64 bytes and not initialised, so that the threads that fill a large one
// also touch its pages first; or a part of memory that others own too.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_BUFFER_H
#define GNN_CORE_BUFFER_H

#include "runtime/src/core/AddressSanitizer.h"
#include "runtime/src/core/HugePages.h"
#include "runtime/src/core/Span.h"
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <sys/mman.h>
#include <type_traits>
#include <utility>

namespace gnn::rt {

constexpr size_t cacheLine = 64;

/// `bytes`, and what is left of their last cache line.
constexpr size_t wholeLines(size_t bytes) { return (bytes + cacheLine - 1) / cacheLine * cacheLine; }

/// Storage of `bytes` bytes aligned to 64; a valid pointer even for 0. Throws std::bad_alloc. What spans several huge
/// pages asks the system for them: kernels walk it row by row, and would miss the TLB at every few.
inline void *allocateAligned(size_t bytes) {
  size_t alignment = bytes >= 2 * hugePageBytes ? hugePageBytes : 64;
  if (bytes > size_t(-1) / 2)
    throw std::bad_alloc();
  size_t size = bytes == 0 ? alignment : (bytes + alignment - 1) / alignment * alignment;
#ifdef GNN_ADDRESS_SANITIZER
  size = bytes; // what goes over the end shows, by a single byte
  void *data = nullptr;
  if (posix_memalign(&data, alignment, size) != 0)
    throw std::bad_alloc();
#else
  void *data = std::aligned_alloc(alignment, size);
  if (!data)
    throw std::bad_alloc();
#endif
  if (alignment == hugePageBytes)
    madvise(data, size, MADV_HUGEPAGE); // a wish: without it the memory is the same
  return data;
}

template <class T> class Buffer {
  static_assert(std::is_trivial_v<T>);

public:
  Buffer() = default;
  explicit Buffer(size_t size) : count(size) {
    if (size > size_t(-1) / sizeof(T))
      throw std::bad_alloc();
    storage.reset(static_cast<T *>(allocateAligned(size * sizeof(T))));
  }
  /// Elements of memory that `owner` keeps alive, aligned as T is.
  Buffer(std::shared_ptr<void> owner, T *data, size_t size) : storage(data, Free{std::move(owner)}), count(size) {}
  Buffer(Buffer &&other) noexcept : storage(std::move(other.storage)), count(std::exchange(other.count, 0)) {}
  Buffer &operator=(Buffer &&other) noexcept {
    storage = std::move(other.storage);
    count = std::exchange(other.count, 0);
    return *this;
  }

  /// More elements, the new ones not initialised.
  void grow(size_t size) {
    assert(size >= count);
    Buffer larger(size);
    std::copy(begin(), end(), larger.begin());
    *this = std::move(larger);
  }

  T *data() { return storage.get(); }
  const T *data() const { return storage.get(); }
  size_t size() const { return count; }
  bool empty() const { return count == 0; }
  T *begin() { return data(); }
  T *end() { return data() + count; }
  const T *begin() const { return data(); }
  const T *end() const { return data() + count; }
  T &operator[](size_t i) {
    assert(i < count);
    return storage.get()[i];
  }
  const T &operator[](size_t i) const {
    assert(i < count);
    return storage.get()[i];
  }

private:
  struct Free {
    std::shared_ptr<void> owner; // of memory that is not ours
    void operator()(T *data) const {
      if (!owner)
        std::free(data);
    }
  };
  std::unique_ptr<T, Free> storage;
  size_t count = 0;
};

} // namespace gnn::rt

#endif // GNN_CORE_BUFFER_H
