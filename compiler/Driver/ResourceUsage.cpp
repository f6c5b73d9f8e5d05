//===- ResourceUsage.cpp - What device functions take ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/ResourceUsage.h"
#include "compiler/Explain/Report.h"
#include "compiler/Kernels/Passes.h"
#include "dialects/Star/Analysis/KernelMemory.h"
#include "dialects/Star/IR/Star.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

namespace gnnc {

double occupancy(const Chip &chip, const ResourceUsage &usage, unsigned block) {
  // CUDA C++ Programming Guide, compute capabilities: registers are given to warps in pieces of 256.
  constexpr unsigned warp = 32, registers = 65536, registerPiece = 256;
  unsigned warps = block / warp;
  unsigned ofWarp = llvm::alignTo(std::max(usage.registers, 1u) * warp, registerPiece);
  unsigned blocks = std::min({registers / ofWarp / warps, chip.maxThreads / block, chip.maxBlocks});
  if (usage.sharedBytes)
    blocks = std::min(blocks, chip.sharedBytes / usage.sharedBytes);
  return double(blocks) * block / chip.maxThreads;
}

llvm::Error checkSharedMemory(mlir::ModuleOp module, llvm::ArrayRef<Chip> chips) {
  for (auto kernel : module.getOps<star::KernelOp>())
    for (const Chip &chip : chips) {
      const int64_t bytes = hotBytes(kernel).constant().value_or(0);
      if (bytes <= chip.blockSharedBytes())
        continue;
      SourcePlace place = placeOf(kernel.getLoc());
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(),
          "%s:%u: %s: the rows of %lld hot vertices take %lld bytes of shared memory, but a block of %s has at most "
          "%u: choose a smaller `hot`",
          place.file.c_str(), place.line, kernel.getSymName().str().c_str(), static_cast<long long>(hotColumns(kernel)),
          static_cast<long long>(bytes), chip.name.data(), chip.blockSharedBytes());
    }
  return llvm::Error::success();
}

llvm::Error checkArguments(mlir::ModuleOp module) {
  constexpr unsigned most = 4352 / sizeof(void *); // bytes of arguments of a launch, PTX ISA before 8.1
  for (auto device : module.getOps<mlir::gpu::GPUModuleOp>())
    for (auto function : device.getOps<mlir::gpu::GPUFuncOp>()) {
      if (function.getNumArguments() <= most)
        continue;
      SourcePlace place = placeOf(function.getLoc());
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(),
          "%s:%u: %s: a GPU kernel takes at most %u arguments, but this one needs %u: declare "
          "parameters or inputs that are used together as one, as in `param w: real[n, d]`",
          place.file.c_str(), place.line, function.getName().str().c_str(), most, function.getNumArguments());
    }
  return llvm::Error::success();
}

void printResourceUsage(mlir::ModuleOp module, const Chip &chip, llvm::ArrayRef<ResourceUsage> usage,
                        llvm::raw_ostream &os) {
  size_t width = 8;
  for (const ResourceUsage &one : usage)
    width = std::max(width, one.function.size());
  os << llvm::left_justify("function", width)
     << "  registers  shared  stack  spilled  threads a row  occupancy  source\n";
  for (ResourceUsage one : usage) {
    llvm::StringRef name = one.function;
    bool isMerge = name.consume_back(mergeSuffix);
    auto kernel = module.lookupSymbol<star::KernelOp>(name);
    assert(kernel && "a function of no kernel");
    star::MappingAttr mapping = *kernel.getMapping();
    if (!isMerge) // what launches add
      one.sharedBytes += unsigned(hotBytes(kernel).constant().value_or(0));
    SourcePlace place = placeOf(kernel.getLoc());
    os << llvm::left_justify(one.function, width)
       << llvm::format("  %9u  %6u  %5u  %7u  %13u  %7.0f %%  ", one.registers, one.sharedBytes, one.stackBytes,
                       one.spillStores + one.spillLoads, mapping.getThreads(),
                       100 * occupancy(chip, one, mapping.getBlock()))
       << llvm::sys::path::filename(place.file) << ":" << place.line << "\n";
  }
}

} // namespace gnnc
