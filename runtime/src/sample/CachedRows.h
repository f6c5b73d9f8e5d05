//===- CachedRows.h - Rows that a cache may have ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that batches read and a device may cache: the edges of the vertices whose neighbours are drawn, and the features
// of the vertices that are reached. Reads are counted by drawing batches. The rows of each kind are numbered across all
// tables.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_CACHEDROWS_H
#define GNN_SAMPLE_CACHEDROWS_H

#include "runtime/src/sample/Sampler.h"

#include <map>

namespace gnn::rt {

/// Counts of the rows that some batches have read.
struct CountedReads {
  int64_t batches = 0;
  std::vector<uint32_t> edges;        // [rows of edges] how many were drawn (Legion: H_T)
  std::vector<uint32_t> transactions; // [rows of edges] that drawing them takes, where the row is with the host
  std::vector<uint32_t> features;     // [rows of features] batches that read a row (H_F)
};

struct CachedRowSizes {
  /// The granularity of reads of host memory by a device (Legion: CLS).
  static constexpr size_t lineBytes = 64;

  std::vector<size_t> edges;      // [rows of edges] bytes in a cache: its place, and its edges as they are in memory
                                  // (equation 3)
  std::vector<uint32_t> features; // [rows of features] bytes (equation 5)

  /// That reading a row of features takes, where it is with the host (equation 6).
  uint32_t transactions(size_t row) const { return uint32_t((features[row] + lineBytes - 1) / lineBytes); }
};

class CachedRows {
public:
  /// The program must have no obstacle to samples (Obstacles.h). Throws GNN_ERROR_MISMATCH for a program that reads
  /// sparse inputs. The sampler is copied; library and binding must outlive this.
  CachedRows(const Library &library, const Binding &binding, const gnn_program_t &program, const Sampler &sampler);

  /// Counts of zero batches.
  CountedReads none() const;
  /// Draws for seeds of the step with this key, rows of the whole table of a vertex type, and adds what they read, but
  /// not that they are a batch.
  void add(uint32_t vertexType, Span<const int64_t> seeds, uint64_t stepKey, CountedReads &to);

  const CachedRowSizes &sizes() const { return bytes; }
  /// The number of the first row of each table of features, in the order in which the program uses the tables.
  std::vector<size_t> firstOfFeatures() const;
  /// Tables of edges, by the first of their rows.
  struct EdgeRows {
    size_t first;
    uint32_t relation, direction;
  };
  std::vector<EdgeRows> tablesOfEdges() const;

private:
  class Draws;
  struct Features {
    uint32_t type; // of vertices
    int32_t depth; // whose rows a batch reads
    size_t first;  // number of the first row
  };

  const Binding &binding;
  Sampler sampler;
  Neighbourhood around;
  std::map<std::pair<uint32_t, uint32_t>, size_t> edgeTables; // the first row, by relation and direction
  std::vector<std::vector<size_t>> widths;                    // [relations] bytes of an edge in each array
  std::vector<std::array<uint32_t, 2>> rowTypes;              // [relations][directions]
  std::vector<Features> featureTables;
  CachedRowSizes bytes;
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_CACHEDROWS_H
