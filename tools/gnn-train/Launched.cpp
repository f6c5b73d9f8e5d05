//===- Launched.cpp - What a launcher of processes has said ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Launched.h"

#include "runtime/src/core/Guard.h"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace gnn::train_tool {

using namespace rt;

namespace {

struct Launcher {
  const char *by, *rank, *size, *ranksHere; // variables; ranksHere: null if it has none
};
/// Slurm's are those of a step, which only srun has: a batch script, which is one process, has SLURM_NTASKS as well.
constexpr Launcher launchers[] = {
    {"Open MPI's mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"mpiexec", "PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
    {"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", nullptr},
};

int numberOf(const char *variable, int least) {
  const char *text = std::getenv(variable), *end = text + std::strlen(text);
  int number = 0;
  const auto [last, error] = std::from_chars(text, end, number);
  require(error == std::errc() && last == end && number >= least, GNN_ERROR_ARGUMENT, variable, " is '", text,
          "': expected a number from ", least);
  return number;
}

} // namespace

std::optional<Launched> Launched::find() {
  for (const Launcher &launcher : launchers) {
    if (!std::getenv(launcher.rank) || !std::getenv(launcher.size))
      continue;
    Launched found{launcher.by, numberOf(launcher.rank, 0), numberOf(launcher.size, 1)};
    if (found.size == 1)
      continue;
    require(found.rank < found.size, GNN_ERROR_ARGUMENT, launcher.rank, " is ", found.rank, ", and ", launcher.size,
            " is ", found.size);
    if (launcher.ranksHere && std::getenv(launcher.ranksHere))
      found.ranksHere = numberOf(launcher.ranksHere, 1);
    return found;
  }
  return {};
}

} // namespace gnn::train_tool
