//===- KernelTesting.h - Kernels from text to code that runs ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a `star.kernel` written as text for one instruction set, or for the emulated device, and calls it, in pieces
// or as a whole.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_KERNELTESTING_H
#define GNNC_TEST_KERNELTESTING_H

#include "compiler/Target/CPU/Isa.h"
#include "gnn/program.h"
#include "test/Device/EmulatedDevice.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gnnc::testing {

/// What a kernel is compiled for: an instruction set of this machine, or the device, where a defect may be planted.
struct Target {
  std::optional<Isa> isa;
  device::EmulatedDevice::Plant plant = nullptr;

  std::string name() const { return isa ? isaName(*isa).str() : "device"; }
};

/// A graph as a sweep sees it.
struct Block {
  std::vector<int64_t> offsets = {0};
  std::vector<uint32_t> cols;
  std::vector<int32_t> types; // of the edges, or empty
  int64_t numCols = 0;

  int64_t numRows() const { return offsets.size() - 1; }
};

/// Rows of the given numbers of edges, to columns drawn from `seed`.
Block makeBlock(const std::vector<int64_t> &degrees, int64_t numCols, unsigned seed);
/// Gives every edge a type in [-1, numTypes]; those of a row are sorted, as the runtime has them.
void drawTypes(Block &block, int32_t numTypes, unsigned seed);

struct CompiledKernel;

/// The kernel `@k` of a module, compiled into a library that is loaded. `dimensions` are the values of open ones, by
/// name. Calls throw what the emulated device reports.
class Kernel {
public:
  Kernel(const std::string &module, const Target &target,
         const std::vector<std::pair<std::string, int64_t>> &dimensions = {});

  /// One call over all rows.
  void run(const gnn_block_t &block, uint32_t flags, std::vector<char> &state);
  void merge(int64_t numRows, std::vector<char> &state, const std::vector<char> &right);
  /// Over the whole block in one call.
  void run(const Block &block);
  /// In two calls: of each row the first `cut[row]` edges, then the rest.
  void runCut(const Block &block, const std::vector<int64_t> &cut);
  /// The same, as a sweep over partitions of the columns does.
  void runInOrder(const Block &block, const std::vector<int64_t> &cut);
  /// Every segment of each row by itself, merged from left to right.
  void runMerged(const Block &block);

  std::vector<void *> tensors;
  bool inPasses = false; // of the least width, where the kernel takes them
  /// Whether there are several of that width.
  bool hasPasses() const { return width > GNN_PASS_ELEMENTS; }
  uint64_t stepKey = 0;
  std::vector<char> state; // of a map: its slot
  int64_t stateBytes = 0;

private:
  void forEachPass(gnn_kernel_args_t &args, int64_t numRows, llvm::function_ref<void()> run);
  void call(const gnn_kernel_args_t &args, bool isMerge, int64_t begin, int64_t end);

  std::shared_ptr<const CompiledKernel> compiled;
  int64_t width = 0;             // of passes
  std::vector<int64_t> rowBytes; // of operands on the device
  std::vector<int64_t> extents;
  std::vector<char> scratch;
};

/// What a map is called with.
gnn_block_t rowsOnly(int64_t numRows);

/// The instruction sets that this machine runs, and the emulated device.
std::vector<Target> runnableTargets();

} // namespace gnnc::testing

#endif // GNNC_TEST_KERNELTESTING_H
