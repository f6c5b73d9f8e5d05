//===- SortEdges.cpp - Edge lists to CSR -----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stable counting sort in two levels. First the edges are scattered into buckets of neighbouring rows, so many at a
// time that writing stays sequential in each; then every bucket, which fits a cache, is counted and placed row by row.
// Rows that did not arrive in order are sorted. Edges by source are made from those by destination, in whose order the
// rows of untyped edges are sorted already.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/SortEdges.h"
#include "runtime/src/core/Parallel.h"
#include <algorithm>
#include <type_traits>
#include <vector>

using namespace gnn::rt;

namespace {

constexpr size_t maxBuckets = 1024;
constexpr size_t chunkEdges = size_t(1) << 18;
constexpr int64_t parallelRow = 1 << 16; // edges of a row from which its sort is parallel

template <class Id> struct Record {
  uint32_t row, col;
  Id id;
};

template <class Id> struct KeyedEdge {
  uint64_t key; // type, col
  Id id;
  bool operator<(const KeyedEdge &other) const { return key != other.key ? key < other.key : id < other.id; }
};

/// Edges by destination, in the order of their ids.
struct GivenEdges {
  const EdgeList &edges;

  size_t size() const { return edges.src.size(); }
  template <class Body> void forRange(size_t begin, size_t end, Body &&body) const {
    for (size_t i = begin; i < end; ++i)
      if (edges.src[i] != leftOutEdge)
        body(edges.dst[i], edges.src[i], int64_t(i));
  }
};

/// Edges by source, in the order of the destinations.
struct TransposedEdges {
  const Csr &csr;

  size_t size() const { return csr.cols.size(); }
  template <class Body> void forRange(size_t begin, size_t end, Body &&body) const {
    auto row = std::upper_bound(csr.offsets.begin(), csr.offsets.end(), int64_t(begin)) - csr.offsets.begin() - 1;
    for (size_t i = begin; i < end; ++i) {
      while (csr.offsets[size_t(row) + 1] <= int64_t(i))
        ++row;
      body(csr.cols[i], uint32_t(row), csr.edgeIds[i]);
    }
  }
};

/// `Id` is uint32_t or int64_t: the edges are many, and most of the memory that preparation takes is theirs.
template <class Id, class Source> class Sorter {
public:
  /// `types` by edge id, or empty. `records` is working memory, made larger if it has to be.
  Sorter(Source source, const Buffer<int32_t> &types, int64_t numRows, Buffer<Record<Id>> &records)
      : source(source), types(types), numRows(size_t(numRows)), records(records) {
    while ((this->numRows >> shift) >= maxBuckets)
      ++shift;
    numBuckets = (this->numRows >> shift) + 1;
    numChunks = source.size() / chunkEdges + 1;
  }

  Csr sort() && {
    size_t count = scatterToBuckets();
    result.offsets = Buffer<int64_t>(numRows + 1);
    result.cols = Buffer<uint32_t>(count);
    ids = Buffer<Id>(count);
    result.types = Buffer<int32_t>(types.empty() ? 0 : count);
    parallelFor(size_t(0), numBuckets, [&](size_t bucket) { placeBucket(bucket); });
    result.offsets[numRows] = int64_t(count);
    if constexpr (std::is_same_v<Id, uint32_t>)
      result.edgeIds.narrow = std::move(ids);
    else
      result.edgeIds.wide = std::move(ids);
    return std::move(result);
  }

private:
  template <class Body> void forEdgesOfChunk(size_t chunk, Body &&body) const {
    source.forRange(chunk * chunkEdges, std::min(source.size(), (chunk + 1) * chunkEdges), body);
  }

  /// Gives how many edges there are.
  size_t scatterToBuckets() {
    std::vector<size_t> counts(numChunks * numBuckets);
    parallelFor(size_t(0), numChunks, [&](size_t chunk) {
      size_t *count = &counts[chunk * numBuckets];
      forEdgesOfChunk(chunk, [&](uint32_t row, uint32_t, int64_t) { ++count[row >> shift]; });
    });
    bucketStart.resize(numBuckets + 1);
    size_t position = 0;
    for (size_t bucket = 0; bucket < numBuckets; ++bucket) {
      bucketStart[bucket] = position;
      for (size_t chunk = 0; chunk < numChunks; ++chunk)
        position += std::exchange(counts[chunk * numBuckets + bucket], position);
    }
    bucketStart[numBuckets] = position;
    if (records.size() < position)
      records = Buffer<Record<Id>>(position);
    parallelFor(size_t(0), numChunks, [&](size_t chunk) {
      size_t *next = &counts[chunk * numBuckets];
      forEdgesOfChunk(chunk, [&](uint32_t row, uint32_t col, int64_t id) {
        records[next[row >> shift]++] = {row, col, Id(id)};
      });
    });
    return position;
  }

  void placeBucket(size_t bucket) {
    size_t firstRow = bucket << shift, endRow = std::min(numRows, (bucket + 1) << shift);
    size_t begin = bucketStart[bucket], end = bucketStart[bucket + 1];
    if (firstRow >= endRow)
      return;
    std::vector<int64_t> next(endRow - firstRow);
    for (size_t i = begin; i < end; ++i)
      ++next[records[i].row - firstRow];
    int64_t position = int64_t(begin);
    for (size_t row = firstRow; row < endRow; ++row) {
      result.offsets[row] = position;
      position += std::exchange(next[row - firstRow], position);
    }
    for (size_t i = begin; i < end; ++i) {
      const Record<Id> &record = records[i];
      int64_t to = next[record.row - firstRow]++;
      result.cols[to] = record.col;
      ids[to] = record.id;
    }
    for (size_t row = firstRow; row < endRow; ++row) // next[row] is now the row's end
      finishRow(result.offsets[row], next[row - firstRow]);
  }

  uint64_t keyAt(int64_t position) const {
    uint64_t type = types.empty() ? 0 : uint64_t(types[ids[position]]);
    return type << 32 | result.cols[position];
  }

  void finishRow(int64_t begin, int64_t end) {
    bool sorted = true; // ids rise within equal keys, as placement is stable
    for (int64_t i = begin + 1; i < end && sorted; ++i)
      sorted = keyAt(i - 1) <= keyAt(i);
    if (!sorted && types.empty() && std::is_same_v<Id, uint32_t>)
      sortRow<uint64_t>(
          begin, end, [&](int64_t i) { return uint64_t(result.cols[i]) << 32 | uint64_t(ids[i]); },
          [](uint64_t edge) { return edge >> 32; }, [](uint64_t edge) { return Id(edge); });
    else if (!sorted)
      sortRow<KeyedEdge<Id>>(
          begin, end,
          [&](int64_t i) {
            return KeyedEdge<Id>{keyAt(i), ids[i]};
          },
          [](const KeyedEdge<Id> &edge) { return edge.key; }, [](const KeyedEdge<Id> &edge) { return edge.id; });
    if (!types.empty())
      for (int64_t i = begin; i < end; ++i)
        result.types[i] = types[ids[i]];
  }

  /// By `Edge`s, which `pack` makes and `colOf` and `idOf` take apart.
  template <class Edge, class Pack, class ColOf, class IdOf>
  void sortRow(int64_t begin, int64_t end, Pack pack, ColOf colOf, IdOf idOf) {
    std::vector<Edge> row(end - begin);
    for (int64_t i = begin; i < end; ++i)
      row[i - begin] = pack(i);
    if (end - begin >= parallelRow)
      parallelSort(row);
    else
      std::sort(row.begin(), row.end());
    for (int64_t i = begin; i < end; ++i) {
      result.cols[i] = uint32_t(colOf(row[i - begin]));
      ids[i] = idOf(row[i - begin]);
    }
  }

  Source source;
  const Buffer<int32_t> &types;
  size_t numRows, numBuckets, numChunks;
  unsigned shift = 0;
  std::vector<size_t> bucketStart;
  Buffer<Record<Id>> &records;
  Buffer<Id> ids;
  Csr result;
};

template <class Id> SortedEdges sortBothWays(const EdgeList &edges, int64_t numSources, int64_t numDestinations) {
  Buffer<Record<Id>> records; // touched once: fresh memory costs more than what is done with it
  SortedEdges sorted;
  sorted.byDestination = Sorter<Id, GivenEdges>(GivenEdges{edges}, edges.type, numDestinations, records).sort();
  sorted.bySource =
      Sorter<Id, TransposedEdges>(TransposedEdges{sorted.byDestination}, edges.type, numSources, records).sort();
  return sorted;
}

} // namespace

Buffer<int64_t> gnn::rt::offsetsOfNone(int64_t numRows) {
  const size_t count = size_t(numRows) + 1;
  std::shared_ptr<void> zeros(std::calloc(count, sizeof(int64_t)), std::free);
  if (!zeros)
    throw std::bad_alloc();
  auto *offsets = static_cast<int64_t *>(zeros.get());
  return {std::move(zeros), offsets, count};
}

SortedEdges gnn::rt::sortEdges(const EdgeList &edges, int64_t numSources, int64_t numDestinations) {
  if (edges.src.size() <= UINT32_MAX)
    return sortBothWays<uint32_t>(edges, numSources, numDestinations);
  return sortBothWays<int64_t>(edges, numSources, numDestinations);
}
