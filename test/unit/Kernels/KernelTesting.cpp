//===- KernelTesting.cpp - Kernels from text to code that runs ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"
#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Target/CPU/KernelTranslation.h"
#include "compiler/Target/CPU/SharedLibrary.h"
#include "dialects/Star/IR/Star.h"
#include "dialects/Support/ExtentTable.h"
#include "mlir/Parser/Parser.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include <catch2/catch.hpp>
#include <dlfcn.h>
#include <map>
#include <random>

namespace gnnc::testing {

Block makeBlock(const std::vector<int64_t> &degrees, int64_t numCols, unsigned seed) {
  Block block;
  block.numCols = numCols;
  std::mt19937 random(seed);
  for (int64_t degree : degrees) {
    for (int64_t i = 0; i < degree; ++i)
      block.cols.push_back(random() % numCols);
    block.offsets.push_back(block.cols.size());
  }
  return block;
}

void drawTypes(Block &block, int32_t numTypes, unsigned seed) {
  std::mt19937 random(seed);
  block.types.resize(block.cols.size());
  for (int32_t &type : block.types)
    type = int32_t(random() % uint32_t(numTypes + 2)) - 1;
  for (int64_t row = 0; row < block.numRows(); ++row)
    std::sort(block.types.begin() + block.offsets[row], block.types.begin() + block.offsets[row + 1]);
}

gnn_block_t rowsOnly(int64_t numRows) {
  gnn_block_t block = {};
  block.size = sizeof block;
  block.num_rows = numRows;
  return block;
}

std::vector<Target> runnableTargets() {
  std::vector<Target> targets = {{std::nullopt}, {Isa::X86_64_V2}};
  if (__builtin_cpu_supports("x86-64-v3"))
    targets.push_back({Isa::X86_64_V3});
  if (__builtin_cpu_supports("x86-64-v4"))
    targets.push_back({Isa::X86_64_V4});
  return targets;
}

/// A table of the two functions, in place of a library's.
static llvm::SmallVector<char, 0> compileTable(Isa isa, bool hasMerge) {
  std::string run = "@\"k" + isaSuffix(isa).str() + "\"", merge = "@\"k.merge" + isaSuffix(isa).str() + "\"";
  std::string text = "declare void " + run + "()\n";
  if (hasMerge)
    text += "declare void " + merge + "()\n";
  text += "@gnn_library_v1 = constant [2 x ptr] [ptr " + run + ", ptr " + (hasMerge ? merge : "null") + "]\n";
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text, diagnostic, context);
  REQUIRE(module);
  optimizeForIsa(*module, isa);
  return llvm::cantFail(emitObject(*module, isa));
}

static int64_t evaluate(const DimExpr &expr, const std::vector<std::pair<std::string, int64_t>> &dimensions) {
  auto value = expr.substitute([&](llvm::StringRef name) -> std::optional<DimExpr> {
    for (const auto &[known, number] : dimensions)
      if (name == known)
        return DimExpr(number);
    return std::nullopt;
  });
  REQUIRE(value);
  REQUIRE(value->constant());
  return *value->constant();
}

/// What a kernel is compiled to. It knows dimensions by their names alone.
struct CompiledKernel {
  CompiledKernel(const std::string &text, const Target &target);
  CompiledKernel(const CompiledKernel &) = delete;
  ~CompiledKernel() {
    if (library)
      dlclose(library);
  }

  std::vector<DimExpr> extents;
  DimExpr scratchBytes, stateBytes;
  std::optional<DimExpr> passes;
  std::vector<std::pair<DimExpr, int64_t>> rows;  // of operands on the device: elements, bytes of one
  std::unique_ptr<device::EmulatedDevice> device; // null: on this machine
  void *library = nullptr;
  gnn_kernel_fn function = nullptr, mergeFunction = nullptr;
};

CompiledKernel::CompiledKernel(const std::string &text, const Target &target) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  REQUIRE(module);
  const Isa isa = target.isa.value_or(Isa::X86_64_V2);
  mlir::PassManager passManager(&context);
  if (!target.isa)
    populateDevicePipeline(passManager);
  populateLoopsPipeline(passManager, isa);
  populateLLVMPipeline(passManager);
  REQUIRE(mlir::succeeded(passManager.run(*module)));

  auto kernel = *module->getOps<star::KernelOp>().begin();
  llvm::append_range(extents, ExtentTable(*module).extents());
  scratchBytes = *DimExpr::parse(*kernel.getScratchBytes());
  stateBytes = *DimExpr::parse(*kernel.getStateBytes());
  if (auto names = kernel.getPasses())
    passes = DimExpr::parse(*names);
  if (!target.isa) {
    for (mlir::ArrayAttr list : {kernel.getInputs(), kernel.getOutputs()})
      for (auto operand : list.getAsRange<star::OperandAttr>())
        rows.push_back({operand.getType().getNumElements(),
                        star::isNarrow(operand.getStorage())
                            ? 2
                            : std::max(operand.getType().getElement().getIntOrFloatBitWidth() / 8, 1u)});
    device = std::make_unique<device::EmulatedDevice>(*module, target.plant);
    return;
  }

  auto objects = llvm::cantFail(compileKernels(*module, isa));
  auto tableObject = compileTable(isa, kernel.isSweep());
  llvm::SmallString<64> file;
  int descriptor = -1;
  REQUIRE(!llvm::sys::fs::createTemporaryFile("gnnc-kernel", "so", descriptor, file));
  llvm::SmallVector<llvm::ArrayRef<char>> inputs = {tableObject};
  inputs.append(objects.begin(), objects.end());
  llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << llvm::cantFail(linkSharedLibrary(inputs, "kernel.so"));
  library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  llvm::sys::fs::remove(file);
  REQUIRE(library);
  auto *functions = static_cast<gnn_kernel_fn *>(dlsym(library, "gnn_library_v1"));
  function = functions[0];
  mergeFunction = functions[1];
}

/// A kernel of open dimensions is run at many sizes, and compiled once. Planted code is compiled each time.
static std::shared_ptr<const CompiledKernel> compile(const std::string &text, const Target &target) {
  if (target.plant)
    return std::make_shared<CompiledKernel>(text, target);
  static std::map<std::pair<std::string, std::optional<Isa>>, std::shared_ptr<const CompiledKernel>> known;
  std::shared_ptr<const CompiledKernel> &compiled = known[{text, target.isa}];
  if (!compiled)
    compiled = std::make_shared<CompiledKernel>(text, target);
  return compiled;
}

Kernel::Kernel(const std::string &text, const Target &target,
               const std::vector<std::pair<std::string, int64_t>> &dimensions)
    : compiled(compile(text, target)) {
  for (const DimExpr &expr : compiled->extents)
    extents.push_back(evaluate(expr, dimensions));
  scratch.resize(evaluate(compiled->scratchBytes, dimensions) + 64);
  for (const auto &[elements, bytes] : compiled->rows)
    rowBytes.push_back(evaluate(elements, dimensions) * bytes);
  if (compiled->device) {
    stateBytes = extents[compiled->device->stateBytes("k")];
    return;
  }
  if (compiled->passes)
    width = evaluate(*compiled->passes, dimensions);
  stateBytes = evaluate(compiled->stateBytes, dimensions) * std::max<int64_t>(width, 1);
}

/// Calls `run` for each pass, whose states follow those of the one before.
void Kernel::forEachPass(gnn_kernel_args_t &args, int64_t numRows, llvm::function_ref<void()> run) {
  auto *state = static_cast<char *>(args.state);
  auto *right = static_cast<const char *>(args.state_in);
  const int64_t pass = inPasses ? GNN_PASS_ELEMENTS : std::max<int64_t>(width, 1);
  for (args.pass_begin = 0; args.pass_begin == 0 || args.pass_begin < width; args.pass_begin += pass) {
    args.pass_end = std::min(args.pass_begin + pass, width);
    int64_t before = numRows * (args.pass_begin * (stateBytes / std::max<int64_t>(width, 1)));
    args.state = state + before;
    args.col_stride = width;
    args.state_in = right ? right + before : nullptr;
    run();
  }
}

void Kernel::run(const gnn_block_t &block, uint32_t flags, std::vector<char> &state) {
  gnn_random_t random = {stepKey};
  gnn_kernel_args_t args = {};
  args.size = sizeof args;
  args.flags = flags;
  args.extents = extents.data();
  args.random = &random;
  args.block = &block;
  args.tensors = tensors.data();
  args.scratch = scratch.data();
  args.state = state.data();
  // In two calls, as tasks of an executor are.
  forEachPass(args, block.num_rows, [&] {
    call(args, /*isMerge=*/false, 0, block.num_rows / 2);
    call(args, /*isMerge=*/false, block.num_rows / 2, block.num_rows);
  });
}

void Kernel::call(const gnn_kernel_args_t &args, bool isMerge, int64_t begin, int64_t end) {
  if (!compiled->device)
    return (isMerge ? compiled->mergeFunction : compiled->function)(&args, begin, end);
  compiled->device->call("k", isMerge, args, begin, end, [&](uint32_t operand) { return rowBytes[operand]; });
}

void Kernel::merge(int64_t numRows, std::vector<char> &state, const std::vector<char> &right) {
  gnn_kernel_args_t args = {};
  args.size = sizeof args;
  args.extents = extents.data();
  args.scratch = scratch.data();
  args.state = state.data();
  args.state_in = right.data();
  gnn_block_t block = rowsOnly(numRows);
  args.block = &block;
  forEachPass(args, numRows, [&] { call(args, /*isMerge=*/true, 0, numRows); });
}

namespace {
/// Edges [from, to) of each row of a block, as a block; edge ids are those of the whole.
struct Piece {
  std::vector<int64_t> offsets = {0}, ids, positions;
  std::vector<uint32_t> cols;
  std::vector<int32_t> types;
  int64_t numCols;

  Piece(const Block &whole, const std::vector<int64_t> &from, const std::vector<int64_t> &to)
      : positions(from), numCols(whole.numCols) {
    for (int64_t row = 0; row < whole.numRows(); ++row) {
      for (int64_t i = from[row]; i < to[row]; ++i) {
        ids.push_back(whole.offsets[row] + i);
        cols.push_back(whole.cols[ids.back()]);
        if (!whole.types.empty())
          types.push_back(whole.types[ids.back()]);
      }
      offsets.push_back(cols.size());
    }
  }

  gnn_block_t block() const {
    gnn_block_t result = {};
    result.size = sizeof result;
    result.num_rows = positions.size();
    result.num_cols = numCols;
    result.offsets = offsets.data();
    result.ends = result.offsets + 1;
    result.cols = cols.data();
    result.edge_id = ids.data();
    result.edge_type = types.data();
    result.row_pos = positions.data();
    return result;
  }
};

std::vector<int64_t> degreesOf(const Block &block) {
  std::vector<int64_t> degrees;
  for (int64_t row = 0; row < block.numRows(); ++row)
    degrees.push_back(block.offsets[row + 1] - block.offsets[row]);
  return degrees;
}
} // namespace

void Kernel::run(const Block &block) {
  gnn_block_t whole = {};
  whole.size = sizeof whole;
  whole.num_rows = block.numRows();
  whole.num_cols = block.numCols;
  whole.offsets = block.offsets.data();
  whole.ends = whole.offsets + 1;
  whole.cols = block.cols.data();
  whole.edge_type = block.types.data();
  std::vector<char> state(block.numRows() * stateBytes);
  run(whole, GNN_SWEEP_FIRST | GNN_SWEEP_LAST, state);
}

void Kernel::runCut(const Block &block, const std::vector<int64_t> &cut) {
  std::vector<char> state(block.numRows() * stateBytes);
  Piece left(block, std::vector<int64_t>(cut.size(), 0), cut), right(block, cut, degreesOf(block));
  run(left.block(), GNN_SWEEP_FIRST, state);
  run(right.block(), GNN_SWEEP_LAST, state);
}

void Kernel::runInOrder(const Block &block, const std::vector<int64_t> &cut) {
  std::vector<char> state(block.numRows() * stateBytes, char(-1)); // nobody may read a total that is not there
  Piece left(block, std::vector<int64_t>(cut.size(), 0), cut), none(block, cut, cut),
      right(block, cut, degreesOf(block));
  run(left.block(), GNN_SWEEP_FIRST | GNN_SWEEP_IN_ORDER | GNN_SWEEP_PREFETCH, state);
  run(none.block(), GNN_SWEEP_IN_ORDER, state);
  run(right.block(), GNN_SWEEP_LAST | GNN_SWEEP_IN_ORDER | GNN_SWEEP_PREFETCH, state);
}

void Kernel::runMerged(const Block &block) {
  std::vector<int64_t> degrees = degreesOf(block);
  std::vector<char> state;
  int64_t longest = *std::max_element(degrees.begin(), degrees.end());
  for (int64_t start = 0; start == 0 || start < longest; start += GNN_SEGMENT_LENGTH) {
    std::vector<int64_t> from, to;
    for (int64_t degree : degrees) {
      from.push_back(std::min(start, degree));
      to.push_back(std::min(start + GNN_SEGMENT_LENGTH, degree));
    }
    std::vector<char> piece(block.numRows() * stateBytes);
    run(Piece(block, from, to).block(), GNN_SWEEP_FIRST, piece);
    if (start == 0)
      state = piece;
    else
      merge(block.numRows(), state, piece);
  }
  run(Piece(block, degrees, degrees).block(), GNN_SWEEP_LAST, state);
}

} // namespace gnnc::testing
