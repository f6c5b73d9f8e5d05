//===- MpiComm.h - Ranks that are connected by MPI --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI is in a library that is opened here (MpiPlugin.h), so that nobody else needs it. It is asked again and again
// what is done, as only so a wait can end. Bytes go by buffers of our own: MPI may write to one that nobody waits for
// any more.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_MPICOMM_H
#define GNN_TOOLS_TRAIN_MPICOMM_H

#include "runtime/src/comm/Comm.h"
#include "tools/gnn-train/Launched.h"
#include "tools/gnn-train/MpiPlugin.h"

#include <chrono>
#include <memory>

namespace gnn::train_tool {

class MpiComm : public rt::Comm {
public:
  /// Once in a process. Waits for all ranks; a process that waits for longer than `patience` ends, as MPI can't be
  /// interrupted. Throws GNN_ERROR_IO where there is no such library, or it is of another MPI than the launcher.
  static std::unique_ptr<MpiComm> open(const Launched &launched, std::chrono::milliseconds patience);
  /// MPI must have been started. `patience` is the time to wait for a rank that sends nothing.
  MpiComm(const gnn_mpi_t &mpi, int rank, int size, std::chrono::milliseconds patience);
  ~MpiComm() override;

  void exchange(const std::vector<Send> &sends, const std::vector<Receive> &receives, const std::string &what) override;
  void abort(const std::string &cause) noexcept override;
  void hear(const std::vector<int> &from, const std::string &what) override;
  Traffic traffic() const override { return moved; }
  /// The MPI library with its version: "Open MPI v4.1.4".
  std::string library() const;

private:
  struct Lane;

  bool advance(Lane &lane);
  bool send(Lane &lane);
  bool receive(Lane &lane);
  void check(int error, int other) const;
  void hearEnding();
  std::vector<int> wanted() const;

  const gnn_mpi_t &mpi;
  std::vector<Lane> lanes; // [ranks], that of this one is never used
  Traffic moved;
  std::string topic; // of the exchange at hand
  int topicTag = 0;
  std::vector<char> ending; // of another rank: why
  gnn_mpi_request_t endingRequest = 0;
  bool hasFailed = false; // then MPI's own end would wait for ranks that are gone
};

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_MPICOMM_H
