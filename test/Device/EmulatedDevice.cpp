//===- EmulatedDevice.cpp - Kernels on the emulated device ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/Device/EmulatedDevice.h"
#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Target/GPU/PtxEmitter.h"
#include "compiler/Target/Library/DescribeDevice.h"
#include "dialects/Star/IR/Star.h"
#include <algorithm>
#include <cstring>
#include <numeric>

namespace gnnc::device {

EmulatedDevice::EmulatedDevice(mlir::ModuleOp module, const Plant &plant) {
  ExtentTable extents(module);
  std::optional<DeviceImage> image = describeDevice(module, extents);
  for (auto [index, op] : llvm::enumerate(module.getOps<star::KernelOp>())) {
    Kernel &kernel = kernels[op.getSymName().str()];
    kernel.hasTotals = op.isOfTotals() || (!op.isSweep() && op.getNumRowOutputs() < op.getOutputs().size());
    for (mlir::ArrayAttr list : {op.getInputs(), op.getOutputs()})
      for (auto operand : list.getAsRange<star::OperandAttr>())
        kernel.access.push_back(uint32_t(operand.getAccess()));
    kernel.run = image->run[index];
    kernel.merge = image->merge[index];
  }
  numExtents = int64_t(extents.extents().size());
  mlir::PassManager passes(module.getContext());
  populateNVVMPipeline(passes);
  if (mlir::failed(passes.run(module)))
    throw ptx::Error("device functions cannot be lowered");
  auto code = *module.getOps<mlir::gpu::GPUModuleOp>().begin();
  std::string text = emitPtx(code, *parseChip("sm_80"));
  machine = std::make_unique<ptx::Machine>(ptx::parse(plant ? plant(text) : text));
  code.erase();
}

namespace {

/// Arrays of a call: each copied to the device when a parameter needs it, and back at the end.
class Transfer {
public:
  explicit Transfer(ptx::DeviceMemory &memory) : memory(memory) {}

  uint64_t copyIn(const void *host, int64_t bytes) {
    if (!host)
      return 0;
    copies.push_back({const_cast<void *>(host), memory.allocate(uint64_t(bytes)), size_t(bytes)});
    std::memcpy(bytesOf(copies.back()), host, size_t(bytes));
    return copies.back().address;
  }
  void copyBack() {
    for (const Copy &copy : copies)
      std::memcpy(copy.host, bytesOf(copy), copy.bytes);
  }

private:
  struct Copy {
    void *host;
    uint64_t address;
    size_t bytes;
  };
  uint8_t *bytesOf(const Copy &copy) {
    uint64_t start = 0;
    return memory.find(copy.address, copy.bytes, start)->data.data();
  }

  ptx::DeviceMemory &memory;
  std::vector<Copy> copies;
};

/// The parameters of a launch, each aligned to its size.
class Parameters {
public:
  void add(uint64_t value, size_t size) {
    bytes.resize((bytes.size() + size - 1) / size * size);
    const auto *first = reinterpret_cast<const uint8_t *>(&value);
    bytes.insert(bytes.end(), first, first + size);
  }

  std::vector<uint8_t> bytes;
};

struct Array {
  const void *data;
  int64_t bytes;
};

int64_t numEdges(const gnn_block_t &block) { return block.offsets ? block.offsets[block.num_rows] : 0; }

/// The array of a block that `source` names.
Array blockArray(const gnn_block_t &block, uint32_t array) {
  const int64_t rows = block.num_rows, edges = numEdges(block);
  switch (array) {
  case GNN_BLOCK_OFFSETS:
    return {block.offsets, 8 * (rows + 1)};
  case GNN_BLOCK_ENDS:
    return {block.ends, 8 * rows};
  case GNN_BLOCK_COLS:
    return {block.cols, 4 * edges};
  case GNN_BLOCK_ROW_ID:
    return {block.row_id, 8 * rows};
  case GNN_BLOCK_COL_ID:
    return {block.col_id, 8 * block.num_cols};
  case GNN_BLOCK_EDGE_ID:
    return {block.edge_id, 8 * edges};
  case GNN_BLOCK_EDGE_ID32:
    return {block.edge_id32, 4 * edges};
  case GNN_BLOCK_EDGE_TYPE:
    return {block.edge_type, 4 * edges};
  case GNN_BLOCK_ROW_POS:
    return {block.row_pos, 8 * rows};
  }
  throw ptx::Error("a parameter is an array that blocks do not have");
}

/// What functions with hot cols ask of a block: the last cols are the hot ones, as any might be.
struct HotCols {
  HotCols(const gnn_block_t &block, int64_t count) : list(size_t(std::min(count, block.num_cols))) {
    for (size_t i = 0; i < list.size(); ++i)
      list[i] = uint32_t(block.num_cols - 1 - int64_t(i));
    for (int64_t edge = 0, edges = list.empty() ? 0 : numEdges(block); edge < edges; ++edge) {
      const int64_t place = block.num_cols - 1 - block.cols[edge];
      cols.push_back(uint32_t(place < int64_t(list.size()) ? place : count + block.cols[edge]));
    }
  }
  Array array(uint32_t index) const {
    const std::vector<uint32_t> &numbers = index == GNN_BLOCK_HOT ? list : cols;
    return {numbers.data(), int64_t(4 * numbers.size())};
  }

  std::vector<uint32_t> list, cols;
};

int64_t numEdgeIds(const gnn_block_t &block) {
  int64_t count = numEdges(block);
  for (int64_t edge = 0, edges = count; edge < edges; ++edge)
    count = std::max(count, block.edge_id32 ? int64_t(block.edge_id32[edge]) + 1
                            : block.edge_id ? block.edge_id[edge] + 1
                                            : 0);
  return count;
}

} // namespace

void EmulatedDevice::call(const std::string &name, bool isMerge, const gnn_kernel_args_t &args, int64_t begin,
                          int64_t end, const std::function<int64_t(uint32_t)> &rowBytes) {
  if (begin == end)
    return;
  const Kernel &kernel = kernels.at(name);
  const DeviceFunctionImage &function = isMerge ? kernel.merge : kernel.run;
  static const gnn_block_t noBlock{};
  const gnn_block_t &block = args.block ? *args.block : noBlock;
  // Half as many groups as rows: some rows come second. The totals of a call are one slot.
  const int64_t groups = kernel.hasTotals ? 1 : (end - begin + 1) / 2,
                groupsOfBlock = function.blockThreads / function.groupThreads;
  const ptx::Grid grid{uint32_t((groups + groupsOfBlock - 1) / groupsOfBlock), function.blockThreads,
                       uint64_t(args.extents[function.sharedBytes])};
  const HotCols hot(block, function.hotCols);
  const int64_t rows = isMerge ? end : block.num_rows;
  const int64_t counts[] = {block.num_rows, block.num_cols, numEdgeIds(block), 1}; // by access

  ptx::DeviceMemory memory(1ull << 32);
  Transfer transfer(memory);
  Parameters parameters;
  auto addTensor = [&](uint32_t operand) {
    const uint32_t access = kernel.access[operand];
    // Of its own rows a call may touch those that it handles only.
    const int64_t bytes = rowBytes(operand), first = access == GNN_ACCESS_ROW ? begin * bytes : 0;
    const int64_t count = access == GNN_ACCESS_ROW ? end - begin : counts[access];
    const auto *data = static_cast<const char *>(args.tensors[operand]);
    parameters.add(data ? transfer.copyIn(data + first, bytes * count) - uint64_t(first) : 0, 8);
  };
  // A sweep over whole rows needs none.
  constexpr uint32_t whole = GNN_SWEEP_FIRST | GNN_SWEEP_LAST;
  // Rows of the block are those of the table, and each is merged with one state: its own.
  std::vector<uint32_t> tableRows(static_cast<size_t>(rows));
  std::iota(tableRows.begin(), tableRows.end(), 0u);
  std::vector<int64_t> right(static_cast<size_t>(rows) + 1);
  std::iota(right.begin(), right.end(), int64_t(0));
  auto arrayOf = [&](uint32_t array) -> Array {
    if (array == GNN_BLOCK_ROWS)
      return {tableRows.data(), 4 * rows};
    if (isMerge)
      return {right.data() + (array == GNN_BLOCK_ENDS ? 1 : 0), 8 * rows};
    return blockArray(block, array);
  };
  const bool hasState = kernel.hasTotals || isMerge || (args.flags & whole) != whole;
  auto addState = [&](const void *state) {
    parameters.add(
        !hasState ? 0 : transfer.copyIn(state, args.extents[function.stateBytes] * (kernel.hasTotals ? 1 : rows)), 8);
  };
  for (const uint32_t parameter : function.parameters) {
    const uint32_t index = parameter >> 16;
    switch (parameter & 0xffff) {
    case GNN_PARAMETER_BEGIN:
      parameters.add(uint64_t(begin), 8);
      break;
    case GNN_PARAMETER_END:
      parameters.add(uint64_t(end), 8);
      break;
    case GNN_PARAMETER_FLAGS:
      parameters.add(args.flags, 4);
      break;
    case GNN_PARAMETER_EXTENTS:
      parameters.add(transfer.copyIn(args.extents, numExtents * 8), 8);
      break;
    case GNN_PARAMETER_RANDOM:
      parameters.add(transfer.copyIn(args.random, sizeof(gnn_random_t)), 8);
      break;
    case GNN_PARAMETER_SCRATCH:
      parameters.add(memory.allocate(uint64_t(args.extents[function.scratchBytes] * grid.blocks * groupsOfBlock)), 8);
      break;
    case GNN_PARAMETER_STATE:
      addState(args.state);
      break;
    case GNN_PARAMETER_STATE_IN:
      addState(args.state_in);
      break;
    case GNN_PARAMETER_TENSOR:
      addTensor(index);
      break;
    case GNN_PARAMETER_BLOCK: {
      const bool ofHot = index == GNN_BLOCK_HOT || index == GNN_BLOCK_HOT_COLS;
      Array array = ofHot ? hot.array(index) : arrayOf(index);
      parameters.add(transfer.copyIn(array.data, array.bytes), 8);
      break;
    }
    case GNN_PARAMETER_GIVEN:
      parameters.add(arrayOf(index).data != nullptr, 4);
      break;
    case GNN_PARAMETER_PIECES:
      parameters.add(0, 8);
      break;
    case GNN_PARAMETER_SLOT_ROWS:
      parameters.add(uint64_t(end - begin), 8);
      break;
    case GNN_PARAMETER_HOT:
      parameters.add(hot.list.size(), 8);
      break;
    default:
      throw ptx::Error("a parameter of an unknown kind");
    }
  }
  machine->run(function.name, grid, parameters.bytes, memory);
  transfer.copyBack();
}

} // namespace gnnc::device
