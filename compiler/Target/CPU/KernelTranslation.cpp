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
#include "llvm/IR/Module.h"
#include <thread>

namespace gnnc {

void registerKernelTranslation(mlir::DialectRegistry &registry) {
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
}

std::unique_ptr<llvm::Module> translateKernels(mlir::ModuleOp module, Isa isa, llvm::LLVMContext &context) {
  mlir::OwningOpRef<mlir::ModuleOp> kernels = mlir::ModuleOp::create(module.getLoc());
  auto builder = mlir::OpBuilder::atBlockEnd(kernels->getBody());
  for (auto function : module.getOps<mlir::LLVM::LLVMFuncOp>()) {
    auto name = function->getAttrOfType<mlir::StringAttr>("star.isa");
    // Declarations belong to all.
    if (name ? name == isaName(isa) : function.isExternal())
      builder.clone(*function);
  }
  auto translated = mlir::translateModuleToLLVMIR(*kernels, context, ("kernels" + isaSuffix(isa)).str());
  assert(translated && "loops-to-llvm leaves nothing that cannot be translated");
  return translated;
}

llvm::Expected<std::vector<llvm::SmallVector<char, 0>>> compileKernels(mlir::ModuleOp module,
                                                                       llvm::ArrayRef<Isa> isas, CodeEffort effort) {
  std::vector<llvm::SmallVector<char, 0>> objects(isas.size());
  std::vector<std::string> errors(isas.size());
  std::vector<std::thread> threads;
  auto compile = [&](unsigned index, llvm::Module &kernels) {
    optimizeForIsa(kernels, isas[index], effort);
    if (auto object = emitObject(kernels, isas[index], effort))
      objects[index] = std::move(*object);
    else
      errors[index] = llvm::toString(object.takeError());
  };
  // Translation reads the MLIR context, whose threads may be off; what follows has a context for each thread.
  std::vector<std::unique_ptr<llvm::LLVMContext>> contexts;
  std::vector<std::unique_ptr<llvm::Module>> modules;
  for (unsigned index = 0; index < isas.size(); ++index) {
    contexts.push_back(std::make_unique<llvm::LLVMContext>());
    modules.push_back(translateKernels(module, isas[index], *contexts[index]));
    if (index + 1 < isas.size())
      threads.emplace_back(compile, index, std::ref(*modules[index]));
    else
      compile(index, *modules[index]);
  }
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &error : errors)
    if (!error.empty())
      return llvm::createStringError(llvm::inconvertibleErrorCode(), error);
  return objects;
}

} // namespace gnnc
