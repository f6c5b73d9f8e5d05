//===- SocketComm.h - Ranks that are connected by sockets -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A connection between any two ranks: of one host, or by TCP. Bytes travel in frames, so that a rank which ends in the
// middle of a table can still say why.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_COMM_SOCKETCOMM_H
#define GNN_COMM_SOCKETCOMM_H

#include "runtime/src/comm/Comm.h"
#include "runtime/src/comm/Socket.h"

namespace gnn::rt {

class SocketComm : public Comm {
public:
  /// `sockets` are the connections to each rank, none to this one. `patience`: how long to wait for a rank that is
  /// there and says nothing.
  SocketComm(int rank, std::vector<Socket> sockets, std::chrono::milliseconds patience);
  ~SocketComm() override;

  void exchange(const std::vector<Send> &sends, const std::vector<Receive> &receives, const std::string &what) override;
  void abort(const std::string &cause) noexcept override;
  void hear(const std::vector<int> &from, const std::string &what) override;
  Traffic traffic() const override { return moved; }

private:
  struct Header {
    uint32_t kind, tag; // of a frame of bytes: what it is of
    uint64_t bytes;
  };
  struct Lane;

  std::vector<int> wanted() const;
  bool wait(Deadline &deadline);
  bool advance(Lane &lane, short events);
  bool send(Lane &lane);
  bool receive(Lane &lane);
  void readAbort(Lane &lane);
  void requireFrame(const Lane &lane) const;
  [[noreturn]] void lost(const Lane &lane) const;

  std::vector<Lane> lanes; // [ranks], that of this one is never used
  Traffic moved;
  std::string topic; // of the exchange at hand
  uint32_t topicTag = 0;
};

/// The connections of ranks of one host, all of them: [rank][other rank]. Throws GNN_ERROR_IO.
std::vector<std::vector<Socket>> pairUp(int size);

} // namespace gnn::rt

#endif // GNN_COMM_SOCKETCOMM_H
