//===- VertexOrders.cpp - Orders of vertices -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/VertexOrders.h"
#include "runtime/src/core/Parallel.h"
#include <algorithm>
#include <numeric>
#include <tbb/enumerable_thread_specific.h>
#include <vector>

using namespace gnn::rt;

namespace {

constexpr size_t grain = 1 << 16;

/// How often each vertex occurs.
std::vector<int64_t> countOf(Span<const int64_t> vertices, int64_t numVertices) {
  tbb::enumerable_thread_specific<std::vector<int64_t>> partial(std::vector<int64_t>(size_t(numVertices), 0));
  parallelFor(tbb::blocked_range<size_t>(0, vertices.size(), grain), [&](const auto &range) {
    std::vector<int64_t> &count = partial.local();
    for (size_t i = range.begin(); i < range.end(); ++i)
      ++count[size_t(vertices[i])];
  });
  std::vector<int64_t> count(size_t(numVertices), 0);
  for (const std::vector<int64_t> &part : partial)
    std::transform(part.begin(), part.end(), count.begin(), count.begin(), std::plus<>());
  return count;
}

/// `ids`: which vertex comes where.
std::shared_ptr<const VertexOrder> orderOf(Buffer<int64_t> ids) {
  auto order = std::make_shared<VertexOrder>();
  order->id = std::move(ids);
  order->local = Buffer<uint32_t>(order->id.size());
  for (size_t i = 0; i < order->id.size(); ++i)
    order->local[size_t(order->id[i])] = uint32_t(i);
  return order;
}

EdgeList listOf(Span<const int64_t> src, Span<const int64_t> dst) {
  EdgeList edges;
  edges.src = Buffer<uint32_t>(src.size());
  edges.dst = Buffer<uint32_t>(dst.size());
  parallelFor(tbb::blocked_range<size_t>(0, src.size(), grain), [&](const auto &range) {
    for (size_t i = range.begin(); i < range.end(); ++i) {
      edges.src[i] = uint32_t(src[i]);
      edges.dst[i] = uint32_t(dst[i]);
    }
  });
  return edges;
}

/// The walk of Cuthill and McKee over both directions of a relation.
class Walk {
public:
  Walk(const Relation &relation, Buffer<int64_t> &order)
      : in(relation.csr(GNN_TO_DESTINATION)), out(relation.csr(GNN_TO_SOURCE)), order(order),
        seen(order.size(), false) {}

  void run() {
    std::vector<uint32_t> starts(order.size());
    std::iota(starts.begin(), starts.end(), 0u);
    parallelSort(starts.begin(), starts.end(), [this](uint32_t a, uint32_t b) { return comesBefore(a, b); });
    for (uint32_t start : starts) {
      add(start);
      for (; next < last; ++next)
        addNeighbours(uint32_t(order[next]));
    }
  }

private:
  int64_t degree(uint32_t v) const { return in.degree(v) + out.degree(v); }
  bool comesBefore(uint32_t a, uint32_t b) const { return degree(a) != degree(b) ? degree(a) < degree(b) : a < b; }

  void add(uint32_t v) {
    if (seen[v])
      return;
    seen[v] = true;
    order[last++] = v;
  }

  void addNeighbours(uint32_t v) {
    size_t first = last;
    for (const Csr *edges : {&in, &out})
      for (int64_t i = edges->offsets[v]; i < edges->offsets[v + 1]; ++i)
        add(edges->cols[size_t(i)]);
    std::sort(order.begin() + first, order.begin() + last,
              [this](int64_t a, int64_t b) { return comesBefore(uint32_t(a), uint32_t(b)); });
  }

  const Csr &in, &out;
  Buffer<int64_t> &order;
  std::vector<bool> seen;
  size_t next = 0, last = 0;
};

/// Edges [begin, end) of a row of `csr`, with their columns in `order`: type and column, id.
void addEdges(const Csr &csr, int64_t begin, int64_t end, const VertexOrder &order,
              std::vector<std::pair<uint64_t, int64_t>> &edges) {
  for (auto i = size_t(begin); i < size_t(end); ++i) {
    // types begin at -1, and those without one come last
    const uint64_t type = csr.types.empty() ? 0 : uint64_t(uint32_t(csr.types[i])) << 32;
    edges.emplace_back(type | order.local[csr.cols[i]], csr.edgeIds[i]);
  }
}

} // namespace

std::shared_ptr<const VertexOrder> gnn::rt::degreeOrder(Span<const int64_t> dst, int64_t numVertices) {
  return degreeOrder(countOf(dst, numVertices));
}

std::shared_ptr<const VertexOrder> gnn::rt::degreeOrder(const std::vector<int64_t> &degree) {
  Buffer<int64_t> ids{degree.size()};
  std::iota(ids.begin(), ids.end(), int64_t(0));
  parallelSort(ids.begin(), ids.end(), [&](int64_t a, int64_t b) {
    return degree[size_t(a)] != degree[size_t(b)] ? degree[size_t(a)] > degree[size_t(b)] : a < b;
  });
  return orderOf(std::move(ids));
}

std::shared_ptr<const VertexOrder> gnn::rt::localityOrder(Span<const int64_t> src, Span<const int64_t> dst,
                                                          int64_t numVertices) {
  Relation relation(listOf(src, dst), numVertices, numVertices, nullptr, nullptr);
  Buffer<int64_t> order{size_t(numVertices)};
  Walk(relation, order).run();
  std::reverse(order.begin(), order.end());
  return orderOf(std::move(order));
}

Csr gnn::rt::inOrder(const Csr &csr, const VertexOrder &order) {
  const size_t rows = size_t(csr.numRows()), count = csr.cols.size();
  Csr result;
  result.offsets = Buffer<int64_t>(rows + 1);
  result.offsets[0] = 0;
  for (size_t row = 0; row < rows; ++row)
    result.offsets[row + 1] = result.offsets[row] + csr.degree(order.id[row]);
  result.cols = Buffer<uint32_t>(count);
  result.types = Buffer<int32_t>(csr.types.size());
  result.edgeIds.narrow = Buffer<uint32_t>(csr.edgeIds.narrow.size());
  result.edgeIds.wide = Buffer<int64_t>(csr.edgeIds.wide.size());
  tbb::enumerable_thread_specific<std::vector<std::pair<uint64_t, int64_t>>> edgesOfRow;
  parallelFor(tbb::blocked_range<size_t>(0, rows, 256), [&](const auto &range) {
    auto &edges = edgesOfRow.local();
    for (size_t row = range.begin(); row < range.end(); ++row) {
      const int64_t from = order.id[row];
      edges.clear();
      addEdges(csr, csr.offsets[size_t(from)], csr.offsets[size_t(from) + 1], order, edges);
      std::sort(edges.begin(), edges.end());
      auto to = size_t(result.offsets[row]);
      for (const auto &[key, id] : edges) {
        result.cols[to] = uint32_t(key);
        if (!result.types.empty())
          result.types[to] = int32_t(uint32_t(key >> 32));
        if (result.edgeIds.wide.empty())
          result.edgeIds.narrow[to++] = uint32_t(id);
        else
          result.edgeIds.wide[to++] = id;
      }
    }
  });
  return result;
}
