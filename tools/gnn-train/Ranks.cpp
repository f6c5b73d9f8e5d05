//===- Ranks.cpp - How the ranks of a run come together -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Ranks.h"

#include "runtime/src/comm/SocketComm.h"
#include "tools/gnn-train/Launcher.h"
#include "tools/gnn-train/MpiComm.h"
#include "tools/gnn-train/RankOptions.h"
#include "tools/gnn-train/Rendezvous.h"

#include <algorithm>
#include <sched.h>
#include <thread>

namespace gnn::train_tool {

namespace {

/// Of each rank, where nobody says: those of one machine share its cores. A launcher may have given this one some of
/// its own.
unsigned threadsOf(const TrainOptions &asked) {
  if (asked.threads.value_or(0) != 0 || (asked.rank && !asked.launched))
    return unsigned(asked.threads.value_or(0));
  const auto here = asked.launched ? asked.launched->ranksHere : int(*asked.ranks);
  const unsigned share = std::max(std::thread::hardware_concurrency() / unsigned(here), 1u);
  cpu_set_t own;
  return sched_getaffinity(0, sizeof own, &own) == 0 ? std::min(share, unsigned(CPU_COUNT(&own))) : share;
}

} // namespace

int runRanks(TrainOptions asked, const std::function<int(const TrainOptions &)> &train) {
  asked.threads = threadsOf(asked);
  auto body = [&](rt::Comm &comm) { return train(optionsOfRank(asked, comm)); };
  const std::chrono::seconds patience(asked.rankSeconds.value_or(600));
  if (!asked.rank)
    return launchRanks(int(*asked.ranks), patience, body);
  if (asked.rendezvous.empty()) {
    const std::unique_ptr<MpiComm> comm = MpiComm::open(*asked.launched, patience);
    if (comm->rank() == 0)
      std::fprintf(stderr, "gnn-train: %d ranks of %s, by %s\n", comm->size(), asked.launched->by.c_str(),
                   comm->library().c_str());
    return runRank(*comm, body);
  }
  const Place place = Place::parse(asked.rendezvous);
  const int rank = int(*asked.rank), ranks = int(*asked.ranks);
  std::fprintf(stderr, "gnn-train: rank %d of %d, %s %s\n", rank, ranks,
               rank == 0 ? "where the others come to:" : "of the run at", asked.rendezvous.c_str());
  rt::SocketComm comm(rank, connectRanks(place, rank, ranks, patience), patience);
  return runRank(comm, body);
}

} // namespace gnn::train_tool
