//===- RunPlace.h - Where runs are kept -------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder that the command line names, one of the run's own where it names none, and never that of an older run
// without a word.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_RUNPLACE_H
#define GNN_TOOLS_TRAIN_RUNPLACE_H

#include "tools/gnn-train/Options.h"

#include <string>

namespace gnn::train_tool {

class RunPlace {
public:
  /// Throws GNN_ERROR_ARGUMENT where an older run would be overwritten, or none is to go on from.
  explicit RunPlace(const TrainOptions &options);

  /// Makes the folder of a run without a name, `runs/MODEL-DATE-TIME`; nothing if there is a name, or nothing is kept.
  /// Throws GNN_ERROR_IO.
  void make(const std::string &model);
  bool isKept() const { return !folder.empty(); }
  /// The folder of all runs of the command; empty if none is stored.
  const std::string &path() const { return folder; }
  /// The folder of the run with this seed.
  std::string of(uint64_t seed) const;
  /// The last checkpoint of a run that goes on; of several runs, that of one of them.
  const std::string &checkpoint() const { return found; }

private:
  void findCheckpoint();

  std::string folder, found;
  bool isUnnamed, hasSeveral;
};

/// The checkpoint that training writes in a run's folder.
std::string lastCheckpoint(const std::string &folder);

/// Removes what a run has written to its folder.
void removeRun(const std::string &folder);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_RUNPLACE_H
