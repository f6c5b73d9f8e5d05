//===- TuningFile.h - Schedules that were measured --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text that `gnnc tune` writes and the compiler reads: for each graph and machine that was measured the statistics,
// the machine and the knobs of each kernel, `KERNEL.KNOB=VALUE`, one a line. What follows `#` is a comment.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TUNING_TUNINGFILE_H
#define GNNC_TUNING_TUNINGFILE_H

#include "dialects/Support/Schedule.h"
#include <optional>
#include <vector>

namespace gnnc {

/// Statistics of a graph that decide how kernels run: its size, and its longest row of edges.
struct GraphStatistics {
  int64_t vertices = 0, edges = 0, longest = 0;

  /// Doublings between the two, summed over the numbers that both have.
  double distance(const GraphStatistics &other) const;
  bool operator==(const GraphStatistics &other) const {
    return vertices == other.vertices && edges == other.edges && longest == other.longest;
  }
};

struct TuningSection {
  GraphStatistics graph;
  std::string isa; // of a device its architecture: "sm_90"
  unsigned threads = 0;
  std::vector<ScheduleRequest> requests; // subjects are kernels
  std::vector<std::string> comments;     // of each

  /// Whose code it is about.
  Knob::Machine machine() const;
};

struct TuningFile {
  static constexpr unsigned version = 1;

  std::string model;
  std::vector<TuningSection> sections;

  /// An error is located: "`path`:3: …".
  static llvm::Expected<TuningFile> parse(llvm::StringRef text, llvm::StringRef path);
  std::string text() const;

  /// The section of `machine` whose graph is the most similar; without `graph`, the one with the most edges. Among
  /// equals, the first whose `isa` is one of `preferred`. Null if there is none.
  const TuningSection *nearest(Knob::Machine machine, const std::optional<GraphStatistics> &graph,
                               llvm::ArrayRef<std::string> preferred = {}) const;
  /// In place of the section for the same graph, instruction set and number of threads, if there is one.
  void put(TuningSection section);
};

} // namespace gnnc

#endif // GNNC_TUNING_TUNINGFILE_H
