//===- OwnTransfers.h - Engines whose transfers may have threads -*- C++ -*-==//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_ENGINE_OWNTRANSFERS_H
#define GNN_ENGINE_OWNTRANSFERS_H

namespace gnn::rt {

/// What an engine is whose threads do both steps and transfers. Where transfers wait for a disk, the threads that wait
/// would be missed by the steps.
class OwnTransfers {
public:
  virtual ~OwnTransfers() = default;
  /// From now on Queue::Load and Queue::Store have a thread each, beside those of the steps; as before, where there is
  /// none to be had.
  virtual void giveTransfersThreads() = 0;
  virtual bool haveTransfersThreads() const = 0;
};

} // namespace gnn::rt

#endif // GNN_ENGINE_OWNTRANSFERS_H
