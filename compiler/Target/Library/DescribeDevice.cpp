//===- DescribeDevice.cpp - Tables of device functions -------------------- -===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Library/DescribeDevice.h"
#include "compiler/Kernels/KernelFunction.h"
#include "compiler/Kernels/Passes.h"
#include "dialects/Star/Analysis/KernelMemory.h"
#include "dialects/Star/IR/Star.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace gnnc {

static uint32_t blockArray(StringRef member) {
  return llvm::StringSwitch<uint32_t>(member)
      .Case("offsets", GNN_BLOCK_OFFSETS)
      .Case("ends", GNN_BLOCK_ENDS)
      .Case("cols", GNN_BLOCK_COLS)
      .Case("row_id", GNN_BLOCK_ROW_ID)
      .Case("col_id", GNN_BLOCK_COL_ID)
      .Case("edge_id", GNN_BLOCK_EDGE_ID)
      .Case("edge_id32", GNN_BLOCK_EDGE_ID32)
      .Case("edge_type", GNN_BLOCK_EDGE_TYPE)
      .Case("row_pos", GNN_BLOCK_ROW_POS)
      .Case("hot_cols", GNN_BLOCK_HOT_COLS)
      .Case("hot", GNN_BLOCK_HOT)
      .Case("rows", GNN_BLOCK_ROWS);
}

/// GNN_PARAMETER_* of what `star.source` says.
static uint32_t parameterOf(StringRef source) {
  auto with = [](uint32_t parameter, uint32_t index) { return parameter | index << 16; };
  if (source.consume_front("given block."))
    return with(GNN_PARAMETER_GIVEN, blockArray(source));
  if (source.consume_front("block."))
    return with(GNN_PARAMETER_BLOCK, blockArray(source));
  if (source.consume_front("tensors ")) {
    uint32_t operand = 0;
    bool failed = source.getAsInteger(10, operand);
    assert(!failed && "an operand has a number");
    (void)failed;
    return with(GNN_PARAMETER_TENSOR, operand);
  }
  return llvm::StringSwitch<uint32_t>(source)
      .Case("flags", GNN_PARAMETER_FLAGS)
      .Case("extents", GNN_PARAMETER_EXTENTS)
      .Case("random.step_key", GNN_PARAMETER_RANDOM)
      .Case("scratch", GNN_PARAMETER_SCRATCH)
      .Case("state", GNN_PARAMETER_STATE)
      .Case("state_in", GNN_PARAMETER_STATE_IN)
      .Case("hot", GNN_PARAMETER_HOT)
      .Case("pieces", GNN_PARAMETER_PIECES)
      .Case("slot_rows", GNN_PARAMETER_SLOT_ROWS);
}

static DeviceFunctionImage describe(gpu::GPUFuncOp function, ExtentTable &extents) {
  auto extent = [&](StringRef attribute) {
    return extents.insert(*DimExpr::parse(function->getAttrOfType<StringAttr>(attribute).getValue()));
  };
  auto mapping = function->getAttrOfType<star::MappingAttr>(mappingAttribute);
  DeviceFunctionImage image;
  image.name = function.getName().str();
  image.groupThreads = mapping.getThreads();
  image.blockThreads = mapping.getBlock();
  image.sharedBytes = extent(sharedBytesAttribute);
  image.scratchBytes = extent(scratchBytesAttribute);
  image.stateBytes = extent(stateBytesAttribute);
  image.parameters = {GNN_PARAMETER_BEGIN, GNN_PARAMETER_END};
  for (unsigned i = image.parameters.size(); i < function.getNumArguments(); ++i)
    image.parameters.push_back(
        parameterOf(function.getArgAttrOfType<StringAttr>(i, KernelFunction::sourceAttribute).getValue()));
  return image;
}

std::optional<DeviceImage> describeDevice(ModuleOp module, ExtentTable &extents) {
  auto device = module.lookupSymbol<gpu::GPUModuleOp>(deviceModuleName);
  if (!device)
    return std::nullopt;
  DeviceImage image;
  for (auto kernel : module.getOps<star::KernelOp>()) {
    std::string name = kernel.getSymName().str();
    image.run.push_back(describe(device.lookupSymbol<gpu::GPUFuncOp>(name), extents));
    image.run.back().hotCols = uint32_t(hotColumns(kernel));
    if (star::ScheduleAttr schedule = kernel.getScheduleAttr())
      image.run.back().split = uint32_t(schedule.getSplit());
    auto merge = device.lookupSymbol<gpu::GPUFuncOp>(name + mergeSuffix.str());
    image.merge.push_back(merge ? describe(merge, extents) : DeviceFunctionImage());
  }
  return image;
}

} // namespace gnnc
