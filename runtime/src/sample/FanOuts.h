//===- FanOuts.h - How many edges a sample has ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The most edges by which a vertex of a batch is seen, depth by depth from the seeds on: for all relations alike, or
// for each by its name. Written "15,10" or "cites=15,10 writes=all,5".
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_FANOUTS_H
#define GNN_SAMPLE_FANOUTS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gnn::rt {

class Library;

class FanOuts {
public:
  static constexpr int64_t all = -1;

  FanOuts() = default;
  /// Throws GNN_ERROR_ARGUMENT, which begins with `origin`, for what is no list of fan-outs.
  FanOuts(const std::string &text, const std::string &origin);

  /// The fan-out of a relation at a depth: `all` for sparse inputs, and beyond the end of a list (see `checkLengths`).
  int64_t at(const std::string &relation, int32_t depth) const;
  /// Throws GNN_ERROR_ARGUMENT for a relation that the library has not.
  void check(const Library &library) const;
  /// How far a program reads over a relation: the number of depths at which its rows are met, and the kernel of the
  /// step that reads farthest.
  struct Reading {
    size_t numDepths = 0;
    const char *kernel = nullptr;
  };
  /// Throws GNN_ERROR_ARGUMENT, naming the line of the model that reads farthest, for a list with more or fewer numbers
  /// than the relation that it is for has depths.
  void checkLengths(const Library &library, const std::map<std::string, Reading> &readings) const;
  /// As it was written.
  const std::string &text() const { return written; }

private:
  std::string written, where;
  std::map<std::string, std::vector<int64_t>> byRelation; // "": all others
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_FANOUTS_H
