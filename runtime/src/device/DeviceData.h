//===- DeviceData.h - A binding in the memory of a GPU ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of the graph, inputs and targets that a binding holds: made when an executor first asks for one, shared by all
// executors over the binding, and made again when the binding has something else: in the same place, if it is as large.
// Copying goes on beside the device's work until somebody awaits it.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_DEVICE_DEVICEDATA_H
#define GNN_DEVICE_DEVICEDATA_H

#include "runtime/src/device/Device.h"
#include "runtime/src/device/RowPieces.h"
#include "runtime/src/exec/Binding.h"

#include <array>
#include <map>
#include <optional>
#include <tuple>

namespace gnn::rt {

/// RowPieces on a device; 0: there is no such array.
struct DevicePieces {
  int64_t count = 0, numCut = 0, numStates = 0;
  cuda::Address rows = 0, offsets = 0, ends = 0, positions = 0, moreOffsets = 0, moreEnds = 0;
};

class DeviceData {
public:
  /// `binding` must outlive this.
  DeviceData(std::shared_ptr<Device> device, const Binding &binding) : device(std::move(device)), binding(binding) {}
  ~DeviceData();

  /// A tensor that the binding has.
  cuda::Address tensor(uint32_t index);
  /// Member `member` (GNN_BLOCK_*) of the block that a step goes over, none of those of pieces; 0 if the block has
  /// none.
  cuda::Address blockArray(const gnn_step_t &step, const gnn_block_t &block, uint32_t member);
  /// GNN_BLOCK_HOT or GNN_BLOCK_HOT_COLS of the block of a sweep, of which at most `hotCols` cols are hot.
  cuda::Address hotArray(const gnn_step_t &step, const gnn_block_t &block, uint32_t hotCols, uint32_t member);
  /// The rows of the block that a sweep goes over. Pairs must have a split that is fixed.
  DevicePieces pieces(const gnn_step_t &step, const gnn_block_t &block, const RowSplit &split);

  /// Copies the tensors again that have changed.
  void refreshTensors();
  /// Copies the pairs again, of which there are as many as before.
  void refreshPairs();
  /// What the device is asked for next finds all copies that were begun.
  void awaitCopies();

private:
  struct Copy {
    DeviceArray array;
    uint64_t version = 0;
    cuda::Event ready = nullptr;
  };

  /// The arrays of a block with hot cols.
  struct Hot {
    Copy cols, list;
  };

  void updateHot(Hot &hot, const gnn_block_t &block, uint32_t hotCols, uint64_t version);
  /// The arrays of RowPieces, in the order of DevicePieces.
  struct PiecesCopy {
    DevicePieces there;
    std::array<Copy, 6> arrays;
    std::optional<uint64_t> version; // none: not all of them are there
  };

  void updatePieces(PiecesCopy &copy, const gnn_block_t &block, const RowSplit &split, uint64_t version);
  void updateThere(Copy &copy, const Tensor &data, uint64_t version);
  void update(Copy &copy, const void *data, size_t bytes, uint64_t version);

  std::shared_ptr<Device> device;
  const Binding &binding;
  std::map<uint32_t, Copy> tensors;
  /// By relation and direction, or noRelation and vertex type, and member.
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Copy> arrays;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Hot> hots;           // by relation, direction and how many at most
  std::map<std::tuple<uint32_t, uint32_t, RowSplit>, PiecesCopy> cutRows; // by relation, direction and split
  std::vector<cuda::Event> begun;                                         // of copies that nobody has awaited
};

} // namespace gnn::rt

#endif // GNN_DEVICE_DEVICEDATA_H
