//===- EmulatedDevice.cpp - Kernels on the emulated device ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/Device/EmulatedDevice.h"
#include "compiler/Conversion/StarToGpu/StarToGpu.h"
#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Support/ExtentTable.h"
#include "compiler/Target/GPU/PtxEmitter.h"
#include "dialects/Star/IR/Star.h"
#include <algorithm>
#include <cstring>

namespace gnnc::device {

EmulatedDevice::EmulatedDevice(mlir::ModuleOp module) {
  ExtentTable extents(module);
  for (auto op : module.getOps<star::KernelOp>()) {
    Kernel &kernel = kernels[op.getSymName().str()];
    kernel.hasTotals = !op.isSweep() && op.getNumRowOutputs() < op.getOutputs().size();
    for (mlir::ArrayAttr list : {op.getInputs(), op.getOutputs()})
      for (auto operand : list.getAsRange<star::OperandAttr>())
        kernel.access.push_back(uint32_t(operand.getAccess()));
  }
  auto code = *module.getOps<mlir::gpu::GPUModuleOp>().begin();
  for (auto op : code.getOps<mlir::gpu::GPUFuncOp>()) {
    llvm::StringRef name = op.getName();
    bool isMerge = name.consume_back(mergeSuffix);
    Kernel &kernel = kernels.at(name.str());
    Function &function = isMerge ? kernel.merge : kernel.main;
    for (unsigned i = 2; i < op.getNumArguments(); ++i)
      function.sources.push_back(op.getArgAttrOfType<mlir::StringAttr>(i, "star.source").str());
    auto mapping = op->getAttrOfType<star::MappingAttr>(mappingAttribute);
    function.threads = mapping.getThreads();
    function.block = mapping.getBlock();
    auto extentOf = [&](llvm::StringRef attribute) {
      return extents.insert(*DimExpr::parse(op->getAttrOfType<mlir::StringAttr>(attribute).getValue()));
    };
    function.scratchBytes = extentOf(scratchBytesAttribute);
    function.stateBytes = extentOf(stateBytesAttribute);
  }
  numExtents = int64_t(extents.extents().size());
  mlir::PassManager passes(module.getContext());
  populateNVVMPipeline(passes);
  if (mlir::failed(passes.run(module)))
    throw ptx::Error("device functions cannot be lowered");
  machine = std::make_unique<ptx::Machine>(ptx::parse(emitPtx(code, *parseChip("sm_80"))));
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
Array blockArray(const gnn_block_t &block, const std::string &source) {
  const int64_t rows = block.num_rows, edges = numEdges(block);
  const std::pair<const char *, Array> arrays[] = {
      {"block.offsets", {block.offsets, 8 * (rows + 1)}}, {"block.cols", {block.cols, 4 * edges}},
      {"block.row_id", {block.row_id, 8 * rows}},         {"block.col_id", {block.col_id, 8 * block.num_cols}},
      {"block.edge_id", {block.edge_id, 8 * edges}},      {"block.edge_id32", {block.edge_id32, 4 * edges}},
      {"block.edge_type", {block.edge_type, 4 * edges}},  {"block.row_pos", {block.row_pos, 8 * rows}}};
  for (const auto &[name, array] : arrays)
    if (source == name)
      return array;
  throw ptx::Error("a parameter comes from " + source);
}

/// Rows of tables over edges, as far as the block can tell.
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
  const Function &function = isMerge ? kernel.merge : kernel.main;
  static const gnn_block_t noBlock{};
  const gnn_block_t &block = args.block ? *args.block : noBlock;
  // Half as many groups as rows: some rows come second. The totals of a call are one slot.
  const int64_t groups = kernel.hasTotals ? 1 : (end - begin + 1) / 2,
                groupsOfBlock = function.block / function.threads;
  const ptx::Grid grid{uint32_t((groups + groupsOfBlock - 1) / groupsOfBlock), function.block};
  const int64_t rows = isMerge ? end : block.num_rows;
  const int64_t counts[] = {block.num_rows, block.num_cols, numEdgeIds(block), 1}; // by access

  ptx::DeviceMemory memory(1ull << 32);
  Transfer transfer(memory);
  Parameters parameters;
  parameters.add(uint64_t(begin), 8);
  parameters.add(uint64_t(end), 8);
  for (const std::string &source : function.sources) {
    if (source == "flags") {
      parameters.add(args.flags, 4);
    } else if (source.rfind("given ", 0) == 0) {
      parameters.add(blockArray(block, source.substr(6)).data != nullptr, 4);
    } else if (source.rfind("block.", 0) == 0) {
      Array array = blockArray(block, source);
      parameters.add(transfer.copyIn(array.data, array.bytes), 8);
    } else if (source.rfind("tensors ", 0) == 0) {
      auto operand = uint32_t(std::stoul(source.substr(8)));
      const uint32_t access = kernel.access[operand];
      // Of its own rows a call may touch those that it handles only.
      const int64_t bytes = rowBytes(operand), first = access == GNN_ACCESS_ROW ? begin * bytes : 0;
      const int64_t count = access == GNN_ACCESS_ROW ? end - begin : counts[access];
      const auto *data = static_cast<const char *>(args.tensors[operand]);
      parameters.add(data ? transfer.copyIn(data + first, bytes * count) - uint64_t(first) : 0, 8);
    } else if (source == "extents") {
      parameters.add(transfer.copyIn(args.extents, numExtents * 8), 8);
    } else if (source == "random.step_key") {
      parameters.add(transfer.copyIn(args.random, sizeof(gnn_random_t)), 8);
    } else if (source == "scratch") {
      parameters.add(memory.allocate(uint64_t(args.extents[function.scratchBytes] * grid.blocks * groupsOfBlock)), 8);
    } else if (source == "state" || source == "state_in") {
      const void *state = source == "state" ? args.state : args.state_in;
      parameters.add(transfer.copyIn(state, args.extents[function.stateBytes] * (kernel.hasTotals ? 1 : rows)), 8);
    } else {
      throw ptx::Error("a parameter comes from " + source);
    }
  }
  machine->run(name + (isMerge ? mergeSuffix.str() : ""), grid, parameters.bytes, memory);
  transfer.copyBack();
}

} // namespace gnnc::device
