//===- Span.h - A pointer and a length -------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The subset of C++20's std::span that the runtime needs.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_SPAN_H
#define GNN_CORE_SPAN_H

#include <cassert>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace gnn::rt {

template <class T> class Span {
public:
  Span() = default;
  Span(T *data, size_t size) : first(data), count(size) {}
  template <class Container,
            class = std::enable_if_t<std::is_convertible_v<decltype(std::declval<Container &>().data()), T *>>>
  Span(Container &&container) : first(container.data()), count(container.size()) {}

  T *data() const { return first; }
  size_t size() const { return count; }
  bool empty() const { return count == 0; }
  T *begin() const { return first; }
  T *end() const { return first + count; }
  T &operator[](size_t i) const {
    assert(i < count);
    return first[i];
  }
  Span slice(size_t begin, size_t length) const {
    assert(begin <= count && length <= count - begin);
    return {first + begin, length};
  }

private:
  T *first = nullptr;
  size_t count = 0;
};

} // namespace gnn::rt

#endif // GNN_CORE_SPAN_H
