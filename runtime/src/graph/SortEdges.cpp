//===- SortEdges.cpp - Edge lists to CSR -----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stable counting sort in two levels. First the edges are scattered into buckets of neighbouring rows, so many at a
// time that writing stays sequential in each; then every bucket, which fits a cache, is counted and placed row by row.
// Rows that did not arrive in order are sorted. Edge lists are mostly sorted by one of their ends, so mostly nothing is
// left to sort.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/SortEdges.h"
#include <algorithm>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>
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

/// `Id` is uint32_t or int64_t: the edges are many, and most of the memory that preparation takes is theirs.
template <class Id> class Sorter {
public:
  Sorter(const EdgeList &edges, uint32_t direction, int64_t numRows)
      : edges(edges), rowOf(direction == GNN_TO_DESTINATION ? edges.dst : edges.src),
        colOf(direction == GNN_TO_DESTINATION ? edges.src : edges.dst), numRows(size_t(numRows)) {
    while ((this->numRows >> shift) >= maxBuckets)
      ++shift;
    numBuckets = (this->numRows >> shift) + 1;
    numChunks = edges.src.size() / chunkEdges + 1;
  }

  Csr sort() && {
    scatterToBuckets();
    result.offsets = Buffer<int64_t>(numRows + 1);
    result.cols = Buffer<uint32_t>(records.size());
    ids = Buffer<Id>(records.size());
    result.types = Buffer<int32_t>(edges.type.empty() ? 0 : records.size());
    tbb::parallel_for(size_t(0), numBuckets, [&](size_t bucket) { placeBucket(bucket); });
    result.offsets[numRows] = int64_t(records.size());
    if constexpr (std::is_same_v<Id, uint32_t>)
      result.edgeIds.narrow = std::move(ids);
    else
      result.edgeIds.wide = std::move(ids);
    return std::move(result);
  }

private:
  template <class Body> void forEdgesOfChunk(size_t chunk, Body &&body) const {
    size_t end = std::min(edges.src.size(), (chunk + 1) * chunkEdges);
    for (size_t i = chunk * chunkEdges; i < end; ++i)
      if (edges.src[i] != EdgeList::none)
        body(i);
  }

  void scatterToBuckets() {
    std::vector<size_t> counts(numChunks * numBuckets);
    tbb::parallel_for(size_t(0), numChunks, [&](size_t chunk) {
      size_t *count = &counts[chunk * numBuckets];
      forEdgesOfChunk(chunk, [&](size_t i) { ++count[rowOf[i] >> shift]; });
    });
    bucketStart.resize(numBuckets + 1);
    size_t position = 0;
    for (size_t bucket = 0; bucket < numBuckets; ++bucket) {
      bucketStart[bucket] = position;
      for (size_t chunk = 0; chunk < numChunks; ++chunk)
        position += std::exchange(counts[chunk * numBuckets + bucket], position);
    }
    bucketStart[numBuckets] = position;
    records = Buffer<Record<Id>>(position);
    tbb::parallel_for(size_t(0), numChunks, [&](size_t chunk) {
      size_t *next = &counts[chunk * numBuckets];
      forEdgesOfChunk(chunk, [&](size_t i) { records[next[rowOf[i] >> shift]++] = {rowOf[i], colOf[i], Id(i)}; });
    });
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
    uint64_t type = edges.type.empty() ? 0 : uint64_t(edges.type[ids[position]]);
    return type << 32 | result.cols[position];
  }

  void finishRow(int64_t begin, int64_t end) {
    bool sorted = true; // ids rise within equal keys, as placement is stable
    for (int64_t i = begin + 1; i < end && sorted; ++i)
      sorted = keyAt(i - 1) <= keyAt(i);
    if (!sorted)
      sortRow(begin, end);
    if (!edges.type.empty())
      for (int64_t i = begin; i < end; ++i)
        result.types[i] = edges.type[ids[i]];
  }

  void sortRow(int64_t begin, int64_t end) {
    std::vector<KeyedEdge<Id>> row(end - begin);
    for (int64_t i = begin; i < end; ++i)
      row[i - begin] = {keyAt(i), ids[i]};
    if (end - begin >= parallelRow)
      tbb::parallel_sort(row);
    else
      std::sort(row.begin(), row.end());
    for (int64_t i = begin; i < end; ++i) {
      result.cols[i] = uint32_t(row[i - begin].key);
      ids[i] = row[i - begin].id;
    }
  }

  const EdgeList &edges;
  const Buffer<uint32_t> &rowOf, &colOf;
  size_t numRows, numBuckets, numChunks;
  unsigned shift = 0;
  std::vector<size_t> bucketStart;
  Buffer<Record<Id>> records;
  Buffer<Id> ids;
  Csr result;
};

} // namespace

Csr gnn::rt::sortEdges(const EdgeList &edges, uint32_t direction, int64_t numRows) {
  if (edges.src.size() <= UINT32_MAX)
    return Sorter<uint32_t>(edges, direction, numRows).sort();
  return Sorter<int64_t>(edges, direction, numRows).sort();
}
