//===- EdgeSet.cpp - The prepared edges of a relation ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Validation of edge lists, and the tables that transforms leave behind.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/EdgeSet.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Parallel.h"
#include "runtime/src/graph/Communities.h"
#include "runtime/src/graph/MetisOrder.h"
#include "runtime/src/graph/Transforms.h"
#include "runtime/src/graph/VertexOrders.h"
#include <algorithm>
#include <atomic>
#include <cstring>

using namespace gnn::rt;

namespace {

constexpr int64_t grain = 1 << 16;

/// The first position whose value is outside [0, bound), or `values.size()`.
size_t firstOutside(Span<const int64_t> values, int64_t bound) {
  tbb::blocked_range<size_t> all(0, values.size(), grain);
  return parallelReduce(
      all, values.size(),
      [&](const tbb::blocked_range<size_t> &range, size_t first) {
        for (size_t i = range.begin(); i < range.end() && i < first; ++i)
          if (uint64_t(values[i]) >= uint64_t(bound))
            return i;
        return first;
      },
      [](size_t a, size_t b) { return std::min(a, b); });
}

/// The ids in half the memory. Throws as `checkEdgeIds` does.
template <class To> Buffer<To> checkedIds(Span<const int64_t> ids, int64_t bound, const char *what) {
  Buffer<To> result(ids.size());
  std::atomic<bool> isWrong{false};
  parallelFor(tbb::blocked_range<size_t>(0, ids.size(), grain), [&](const tbb::blocked_range<size_t> &range) {
    bool isOutside = false; // a loop without a way out is one of vectors
    for (size_t i = range.begin(); i < range.end(); ++i) {
      result[i] = To(ids[i]);
      isOutside |= uint64_t(ids[i]) >= uint64_t(bound);
    }
    if (isOutside)
      isWrong = true;
  });
  if (isWrong)
    checkEdgeIds(ids, bound, what);
  return result;
}

void reorder(Buffer<uint32_t> &ids, const VertexOrder &order) {
  parallelFor(tbb::blocked_range<size_t>(0, ids.size(), grain), [&](const tbb::blocked_range<size_t> &range) {
    for (size_t i = range.begin(); i < range.end(); ++i)
      ids[i] = order.local[ids[i]];
  });
}

/// The number of edge types; throws if one is out of range.
uint32_t checkTypes(const EdgeOptions &options, size_t numEdges) {
  Span<const int64_t> types = options.edgeTypes;
  require(types.size() == numEdges, GNN_ERROR_ARGUMENT, types.size(), " edge types for ", numEdges, " edges");
  // Inverse relations and loops need types of their own within int32.
  constexpr int64_t maxTypes = INT32_MAX / 2 - 1;
  int64_t bound = options.numTypes ? int64_t(options.numTypes) : maxTypes;
  require(bound <= maxTypes, GNN_ERROR_ARGUMENT, "too many edge types: ", bound);
  checkEdgeIds(types, bound, "type");
  if (options.numTypes)
    return options.numTypes;
  return types.empty() ? 1 : uint32_t(*std::max_element(types.begin(), types.end())) + 1;
}

} // namespace

const char *gnn::rt::fromOneHint(Span<const int64_t> ids, int64_t bound) {
  const bool areFromOne = std::all_of(ids.begin(), ids.end(), [&](int64_t id) { return id >= 1 && id <= bound; });
  return areFromOne ? " (do ids begin at 1? they begin at 0 here)" : "";
}

void gnn::rt::checkEdgeIds(Span<const int64_t> ids, int64_t bound, const char *what, const std::string &where) {
  size_t bad = firstOutside(ids, bound);
  if (bad < ids.size())
    fail(GNN_ERROR_DATA, where, "edge ", bad, ": ", what, " ", ids[bad], " is out of range, expected 0 <= ", what,
         " < ", bound, fromOneHint(ids, bound));
}

namespace {

/// Checks the list and copies it, in the order of vertices that `order` says.
GrowingEdges checkedEdges(Span<const int64_t> src, Span<const int64_t> dst, int64_t numSources, int64_t numDestinations,
                          const EdgeOptions &options, std::shared_ptr<const VertexOrder> &order) {
  require(src.size() == dst.size(), GNN_ERROR_ARGUMENT, src.size(), " sources for ", dst.size(), " destinations");
  for (int64_t count : {numSources, numDestinations})
    require(count >= 0 && count < int64_t(UINT32_MAX), GNN_ERROR_ARGUMENT, "the number of vertices is ", count,
            ", expected 0 to 2^32 - 2");
  require(options.order <= GNN_ORDER_METIS, GNN_ERROR_ARGUMENT, "unknown order of vertices ", options.order);
  GrowingEdges edges;
  edges.edges.src = checkedIds<uint32_t>(src, numSources, "source");
  edges.edges.dst = checkedIds<uint32_t>(dst, numDestinations, "destination");
  if (options.edgeTypes.data() != nullptr || (options.numTypes && src.empty())) {
    edges.numTypes = checkTypes(options, src.size());
    edges.edges.type = checkedIds<int32_t>(options.edgeTypes, edges.numTypes, "type");
  }
  if (options.order == GNN_ORDER_DEGREE)
    order = degreeOrder(dst, numDestinations);
  if (options.order == GNN_ORDER_LOCALITY)
    order = localityOrder(src, dst, numDestinations);
  for (Buffer<uint32_t> *ends : {&edges.edges.src, &edges.edges.dst})
    if (order)
      reorder(*ends, *order);
  if (options.onCopied)
    options.onCopied();
  return edges;
}

template <class T> Buffer<T> copyOf(const Buffer<T> &from) {
  Buffer<T> copy(from.size());
  std::copy(from.begin(), from.end(), copy.begin());
  return copy;
}

} // namespace

std::shared_ptr<const EdgeSet> EdgeSet::fromEdges(Span<const int64_t> src, Span<const int64_t> dst, int64_t numVertices,
                                                  const EdgeOptions &options) {
  std::shared_ptr<const VertexOrder> order;
  GrowingEdges edges = checkedEdges(src, dst, numVertices, numVertices, options, order);
  auto set = prepare(std::move(edges), numVertices, std::move(order), options.transforms);
  if (options.order == GNN_ORDER_COMMUNITY)
    return reordered(*set, communityOrder(set->relation()));
  if (options.order == GNN_ORDER_METIS)
    return reordered(*set, metisOrder(set->relation()));
  return set;
}

std::shared_ptr<const EdgeSet> EdgeSet::between(Span<const int64_t> src, Span<const int64_t> dst, int64_t numSources,
                                                int64_t numDestinations, const EdgeOptions &options) {
  require(options.transforms == 0 && options.order == GNN_ORDER_GIVEN, GNN_ERROR_ARGUMENT,
          "edges between two types of vertices can be neither transformed nor ordered");
  std::shared_ptr<const VertexOrder> order;
  GrowingEdges edges = checkedEdges(src, dst, numSources, numDestinations, options, order);
  std::shared_ptr<EdgeSet> set(new EdgeSet);
  set->isBetweenTypes = true;
  set->givenEdges = int64_t(src.size());
  set->givenTypes = set->edgeTypes = edges.numTypes;
  set->edges = std::make_shared<Relation>(edges.edges, numSources, numDestinations, nullptr, nullptr);
  return set;
}

std::shared_ptr<const EdgeSet> EdgeSet::fromParts(EdgeSetParts parts) {
  std::shared_ptr<EdgeSet> set(new EdgeSet);
  const int64_t ids = parts.givenEdges + int64_t(parts.addedFrom.size());
  set->edges = std::make_shared<Relation>(SortedEdges{std::move(parts.byDestination), std::move(parts.bySource)}, ids,
                                          parts.order, parts.order, std::move(parts.file));
  set->vertexOrder = std::move(parts.order);
  set->edgeTypes = parts.types;
  set->applied = parts.transforms;
  set->givenTypes = parts.givenTypes;
  set->givenEdges = parts.givenEdges;
  set->isBetweenTypes = parts.isBetweenTypes;
  set->givenDigest = parts.digest;
  set->addedFrom = std::move(parts.addedFrom);
  return set;
}

uint32_t EdgeSet::numEdgeTypesWith(uint32_t transforms) const {
  return numTypesUnder(applied | transforms, givenTypes);
}

std::shared_ptr<const EdgeSet> EdgeSet::prepare(GrowingEdges edges, int64_t numVertices,
                                                std::shared_ptr<const VertexOrder> order, uint32_t transforms) {
  require((transforms & ~knownTransforms) == 0, GNN_ERROR_ARGUMENT, "unknown transforms ",
          transforms & ~knownTransforms);
  std::shared_ptr<EdgeSet> set(new EdgeSet);
  set->givenEdges = int64_t(edges.edges.src.size());
  set->givenTypes = edges.numTypes;
  applyTransforms(edges, transforms, numVertices, order.get());
  set->edges = std::make_shared<Relation>(edges.edges, numVertices, numVertices, order, order);
  set->vertexOrder = std::move(order);
  set->edgeTypes = edges.numTypes;
  set->applied = transforms;
  set->addedFrom = std::move(edges.addedFrom);
  return set;
}

/// Edges whose types have become kinds of loops are for models that ask for these alone. These need all loops.
static void requireGivenLoops(uint32_t applied, uint32_t wanted) {
  const bool hasKinds = applied & GNN_GRAPH_LOOP_KINDS, wantsKinds = wanted & GNN_GRAPH_LOOP_KINDS;
  require(hasKinds == wantsKinds || (wantsKinds && !(applied & (GNN_GRAPH_ONE_LOOP | GNN_GRAPH_NO_LOOPS))),
          GNN_ERROR_MISMATCH, "these edges were prepared for a model with other loops: prepare those of the data");
  require(!hasKinds || (wanted & ~applied) == 0, GNN_ERROR_MISMATCH,
          "these edges were prepared for a model with other edges: prepare those of the data");
  require(hasKinds || !(wanted & GNN_GRAPH_NO_LOOPS) || !(applied & (GNN_GRAPH_SELF_LOOPS | GNN_GRAPH_ONE_LOOP)),
          GNN_ERROR_MISMATCH,
          "these edges were prepared with loops, and the model is about none: prepare those of the data");
}

std::shared_ptr<const EdgeSet> EdgeSet::transformed(std::shared_ptr<const EdgeSet> set, uint32_t transforms,
                                                    bool inGivenOrder) {
  requireGivenLoops(set->applied, transforms);
  if ((transforms & ~set->applied) == 0 && !(inGivenOrder && set->vertexOrder))
    return set;
  require(!set->isBetweenTypes, GNN_ERROR_MISMATCH, "edges between two types of vertices can't be ",
          transforms & loopsForAll           ? "given self loops"
          : transforms & GNN_GRAPH_SYMMETRIC ? "made symmetric"
                                             : "given inverse relations");
  require(!set->relation().isPaged(), GNN_ERROR_INTERNAL, "edges in a file can't be transformed");
  std::lock_guard<std::mutex> lock(set->making);
  std::weak_ptr<const EdgeSet> &known = set->made[{set->applied | transforms, inGivenOrder}];
  std::shared_ptr<const EdgeSet> result = known.lock();
  if (!result)
    known = result = set->transform(set->applied | transforms, inGivenOrder);
  return result;
}

std::shared_ptr<const EdgeSet> EdgeSet::reordered(const EdgeSet &set, std::shared_ptr<const VertexOrder> order) {
  assert(!set.vertexOrder && !set.isBetweenTypes && !set.relation().isPaged());
  EdgeSetParts parts = set.partsBesideEdges();
  parts.byDestination = inOrder(set.relation().csr(GNN_TO_DESTINATION), *order);
  parts.bySource = inOrder(set.relation().csr(GNN_TO_SOURCE), *order);
  parts.order = std::move(order);
  return fromParts(std::move(parts));
}

std::shared_ptr<const EdgeSet> EdgeSet::withoutIds(const EdgeSet &set) {
  assert(!set.relation().isPaged());
  EdgeSetParts parts = set.partsBesideEdges();
  auto copied = [&](uint32_t direction) {
    const Csr &csr = set.relation().csr(direction);
    Csr copy;
    copy.offsets = copyOf(csr.offsets);
    copy.cols = copyOf(csr.cols);
    copy.types = copyOf(csr.types);
    return copy;
  };
  parts.byDestination = copied(GNN_TO_DESTINATION);
  parts.bySource = copied(GNN_TO_SOURCE);
  return fromParts(std::move(parts));
}

/// All but the edges.
EdgeSetParts EdgeSet::partsBesideEdges() const {
  EdgeSetParts parts;
  parts.order = vertexOrder;
  parts.addedFrom = copyOf(addedFrom);
  parts.transforms = applied;
  parts.givenTypes = givenTypes;
  parts.types = edgeTypes;
  parts.givenEdges = givenEdges;
  parts.isBetweenTypes = isBetweenTypes;
  return parts;
}

/// Starts from the given edges: transforms have a fixed order, so doing the missing ones afterwards would give another
/// set.
std::shared_ptr<const EdgeSet> EdgeSet::transform(uint32_t transforms, bool inGivenOrder) const {
  GrowingEdges edges;
  auto given = size_t(givenEdges);
  const bool hasKinds = applied & GNN_GRAPH_LOOP_KINDS; // then the types of the data are gone
  require(!hasKinds || givenTypes <= 1 || !(applied & GNN_GRAPH_SYMMETRIC), GNN_ERROR_MISMATCH,
          "these edges were prepared in another order of the vertices: prepare those of the data");
  edges.numTypes = givenTypes;
  edges.edges.src = Buffer<uint32_t>(given);
  edges.edges.dst = Buffer<uint32_t>(given);
  edges.edges.type = Buffer<int32_t>(edges.numTypes ? given : 0);
  if (applied & (GNN_GRAPH_ONE_LOOP | GNN_GRAPH_NO_LOOPS)) { // what they left out stays so
    std::fill(edges.edges.src.begin(), edges.edges.src.end(), leftOutEdge);
    std::fill(edges.edges.dst.begin(), edges.edges.dst.end(), 0);
    std::fill(edges.edges.type.begin(), edges.edges.type.end(), 0);
  }
  auto vertexOf = [&](uint32_t local) {
    return inGivenOrder && vertexOrder ? uint32_t(vertexOrder->id[local]) : local;
  };
  const Csr &csr = relation().csr(GNN_TO_DESTINATION);
  parallelFor(int64_t(0), csr.numRows(), [&](int64_t row) {
    for (int64_t i = csr.offsets[row]; i < csr.offsets[row + 1]; ++i) {
      int64_t id = csr.edgeIds[i];
      int32_t type = edges.numTypes && !hasKinds ? csr.types[i] : 0;
      // The one loop of a vertex may be the inverse of a loop that was given.
      const bool isInverse = applied & GNN_GRAPH_ONE_LOOP && id >= givenEdges && int64_t(csr.cols[i]) == row;
      if (isInverse) {
        id = addedFrom[size_t(id - givenEdges)];
        type -= int32_t(givenTypes);
      }
      if (id >= givenEdges || id < 0)
        continue;
      edges.edges.src[id] = vertexOf(csr.cols[i]);
      edges.edges.dst[id] = vertexOf(uint32_t(row));
      if (edges.numTypes)
        edges.edges.type[id] = type;
    }
  });
  return prepare(std::move(edges), csr.numRows(), inGivenOrder ? nullptr : vertexOrder, transforms);
}

std::vector<int64_t> EdgeSet::extendedShape(std::vector<int64_t> shape, const std::string &what) const {
  require(!shape.empty() && shape[0] == givenEdges, GNN_ERROR_MISMATCH, what, " has the shape ", shapeText(shape),
          ", expected a row for each of the ", givenEdges, " edges");
  shape[0] = numEdgeIds();
  return shape;
}

Tensor EdgeSet::extendEdgeTable(const Tensor &rows, const std::string &what) const {
  const std::vector<int64_t> shape = extendedShape(rows.shape(), what);
  if (addedFrom.empty())
    return rows;
  Tensor result = Tensor::empty(rows.element(), shape);
  std::vector<int64_t> rowShape(shape.begin() + 1, shape.end());
  Tensor one = Tensor::of<bool>({true}, {}).converted(rows.element(), what);
  size_t elementSize = elementBytes(rows.element()),
         rowSize = size_t(countElements(rowShape, rows.element())) * elementSize;
  char *to = static_cast<char *>(result.mutableData());
  const char *from = static_cast<const char *>(rows.data());
  std::memcpy(to, from, rows.bytes());
  to += rows.bytes();
  for (int64_t origin : addedFrom) {
    if (origin >= 0)
      std::memcpy(to, from + size_t(origin) * rowSize, rowSize);
    else
      for (size_t i = 0; i < rowSize; i += elementSize)
        std::memcpy(to + i, one.data(), elementSize);
    to += rowSize;
  }
  return result;
}
