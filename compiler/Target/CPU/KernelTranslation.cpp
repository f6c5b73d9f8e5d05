//===- KernelTranslation.cpp - Functions of kernels to LLVM IR ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/KernelTranslation.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Threading.h"
#include <atomic>
#include <mutex>
#include <thread>

namespace gnnc {

void registerKernelTranslation(mlir::DialectRegistry &registry) {
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
}

using mlir::LLVM::LLVMFuncOp;

static std::unique_ptr<llvm::Module> translate(mlir::Location loc, llvm::ArrayRef<LLVMFuncOp> functions, Isa isa,
                                               llvm::LLVMContext &context) {
  mlir::OwningOpRef<mlir::ModuleOp> kernels = mlir::ModuleOp::create(loc);
  auto builder = mlir::OpBuilder::atBlockEnd(kernels->getBody());
  for (LLVMFuncOp function : functions)
    builder.clone(*function.getOperation());
  auto translated = mlir::translateModuleToLLVMIR(*kernels, context, ("kernels" + isaSuffix(isa)).str());
  assert(translated && "loops-to-llvm leaves nothing that cannot be translated");
  return translated;
}

/// The functions of `isa`, and declarations, which belong to all.
static llvm::SmallVector<LLVMFuncOp> functionsOf(mlir::ModuleOp module, Isa isa) {
  llvm::SmallVector<LLVMFuncOp> functions;
  for (auto function : module.getOps<LLVMFuncOp>()) {
    auto name = function->getAttrOfType<mlir::StringAttr>("star.isa");
    if (name ? name == isaName(isa) : function.isExternal())
      functions.push_back(function);
  }
  return functions;
}

std::unique_ptr<llvm::Module> translateKernels(mlir::ModuleOp module, Isa isa, llvm::LLVMContext &context) {
  return translate(module.getLoc(), functionsOf(module, isa), isa, context);
}

namespace {

/// Functions that are compiled together.
struct Unit {
  Isa isa;
  llvm::SmallVector<LLVMFuncOp> functions;
};

} // namespace

/// Each body with the entries that call it.
static std::vector<llvm::SmallVector<LLVMFuncOp>> bodiesWithEntries(llvm::ArrayRef<LLVMFuncOp> functions) {
  std::vector<llvm::SmallVector<LLVMFuncOp>> groups;
  llvm::StringMap<size_t> groupOf;
  for (LLVMFuncOp function : functions)
    if (function.getLinkage() == mlir::LLVM::Linkage::Internal) {
      groupOf[function.getSymName()] = groups.size();
      groups.push_back({function});
    }
  for (LLVMFuncOp function : functions)
    if (function.getLinkage() == mlir::LLVM::Linkage::External && !function.isExternal())
      for (auto call : function.getBody().getOps<mlir::LLVM::CallOp>())
        groups[groupOf.at(*call.getCallee())].push_back(function);
  return groups;
}

/// Units of about as much work each, whatever the number of processors is: libraries do not depend on it.
static std::vector<Unit> unitsOf(mlir::ModuleOp module, llvm::ArrayRef<Isa> isas) {
  constexpr size_t enoughOps = 6000;
  std::vector<Unit> units;
  for (Isa isa : isas) {
    const llvm::SmallVector<LLVMFuncOp> functions = functionsOf(module, isa);
    const size_t firstUnit = units.size();
    size_t numOps = enoughOps;
    for (llvm::ArrayRef<LLVMFuncOp> group : bodiesWithEntries(functions)) {
      if (numOps >= enoughOps) {
        units.push_back({isa, {}});
        numOps = 0;
      }
      units.back().functions.append(group.begin(), group.end());
      for (LLVMFuncOp function : group)
        for (mlir::Block &block : function.getBody())
          numOps += block.getOperations().size();
    }
    for (Unit &unit : llvm::drop_begin(units, firstUnit))
      llvm::copy_if(functions, std::back_inserter(unit.functions),
                    [](LLVMFuncOp function) { return function.isExternal(); });
  }
  return units;
}

llvm::Expected<std::vector<llvm::SmallVector<char, 0>>> compileKernels(mlir::ModuleOp module, llvm::ArrayRef<Isa> isas,
                                                                       CodeEffort effort) {
  const std::vector<Unit> units = unitsOf(module, isas);
  std::vector<llvm::SmallVector<char, 0>> objects(units.size());
  std::vector<std::string> errors(units.size());
  std::atomic<size_t> numTaken = 0;
  std::mutex translating; // reads and writes the MLIR context, whose threads are off
  auto work = [&] {
    for (size_t index = numTaken++; index < units.size(); index = numTaken++) {
      const Unit &unit = units[index];
      llvm::LLVMContext context;
      std::unique_ptr<llvm::Module> kernels;
      {
        std::scoped_lock lock(translating);
        kernels = translate(module.getLoc(), unit.functions, unit.isa, context);
      }
      optimizeForIsa(*kernels, unit.isa, effort);
      if (auto object = emitObject(*kernels, unit.isa, effort))
        objects[index] = std::move(*object);
      else
        errors[index] = llvm::toString(object.takeError());
    }
  };
  std::vector<std::thread> threads;
  const size_t numThreads = llvm::hardware_concurrency().compute_thread_count();
  while (threads.size() + 1 < std::min(numThreads, units.size()))
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &error : errors)
    if (!error.empty())
      return llvm::createStringError(llvm::inconvertibleErrorCode(), error);
  return objects;
}

} // namespace gnnc
