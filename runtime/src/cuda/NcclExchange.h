//===- NcclExchange.h - Between GPUs, by NCCL -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sends the messages of ranks directly between the memories of their GPUs by NVIDIA's library NCCL, which is looked up
// when ranks on GPUs meet. NCCL moves bytes and adds none, so folds remain the runtime's. NCCL waits without a limit,
// so this class waits instead, and meanwhile checks by the ranks' Comm that all ranks are alive.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_NCCLEXCHANGE_H
#define GNN_CUDA_NCCLEXCHANGE_H

#include "runtime/src/comm/Comm.h"
#include "runtime/src/cuda/Device.h"
#include "runtime/src/cuda/NcclApi.h"

namespace gnn::rt {

namespace nccl {
struct Library {
#define GNN_NCCL_MEMBER(member, symbol, parameters) Status(*member) parameters;
  GNN_NCCL_FUNCTIONS(GNN_NCCL_MEMBER)
#undef GNN_NCCL_MEMBER
  const char *(*errorString)(Status status); // ncclGetErrorString
  int version;                               // 21903 for 2.19.3

  /// That of this machine. Throws GNN_ERROR_DEVICE if there is none, or it is older than 2.14.
  static const Library &get();
};
} // namespace nccl

/// Addresses of what is sent and received are those of the GPU.
class NcclExchange : public Exchange {
public:
  /// By all ranks, each with a GPU of its own; `comm` must outlive what is made. All connections are made here, so that
  /// later nothing more is taken of the GPU's memory. Throws RanksDiffer, in all ranks, if one of them can't.
  static std::unique_ptr<NcclExchange> open(Comm &comm, const std::shared_ptr<Device> &device);
  ~NcclExchange() override;

  /// After what the stream of the device was asked for before.
  void exchange(const std::vector<Send> &sends, const std::vector<Receive> &receives, const std::string &what) override;
  Traffic traffic() const override { return moved; }
  /// "NCCL 2.19.3"
  const std::string &name() const { return fullName; }

private:
  NcclExchange(Comm &comm, std::shared_ptr<Device> device, const nccl::Library &library);
  void connect(const nccl::UniqueId &id);
  void sendToAll();
  bool exchangeWithin(std::chrono::milliseconds patience, const std::vector<Send> &sends,
                      const std::vector<Receive> &receives, const std::string &what);
  void ask(const std::vector<Send> &sends, const std::vector<Receive> &receives);
  bool isAsked();
  void check(nccl::Status status) const;
  void leave() noexcept;

  Comm &comm;
  const std::shared_ptr<Device> device;
  const nccl::Library &library;
  const std::string fullName;
  const uint32_t functionName; // known to the device
  nccl::Communicator communicator = nullptr;
  cuda::Event done = nullptr;
  bool isFirst = true; // nothing was exchanged yet
  Traffic moved;
};

} // namespace gnn::rt

#endif // GNN_CUDA_NCCLEXCHANGE_H
