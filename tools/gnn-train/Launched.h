//===- Launched.h - What a launcher of processes has said -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_LAUNCHED_H
#define GNN_TOOLS_TRAIN_LAUNCHED_H

#include <optional>
#include <string>

namespace gnn::train_tool {

/// Which of several processes of mpirun, mpiexec or srun this one is, as they say in its environment.
struct Launched {
  std::string by;    // whom messages name: "Open MPI's mpirun"
  int rank, size;    // size > 1
  int ranksHere = 1; // on this machine, as far as it says

  /// None if this process is alone. Throws GNN_ERROR_ARGUMENT where what is said are no such numbers.
  static std::optional<Launched> find();
};

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_LAUNCHED_H
