//===- KernelTranslation.cpp - Functions of kernels to LLVM IR ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/KernelTranslation.h"
#include "compiler/Target/CPU/KernelCodegen.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Threading.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Module.h"

namespace gnnc {

void registerKernelTranslation(mlir::DialectRegistry &registry) {
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
}

static bool isOf(mlir::ModuleOp group, Isa isa) {
  return group->getAttrOfType<mlir::StringAttr>("star.isa") == isaName(isa);
}

static std::unique_ptr<llvm::Module> translate(mlir::ModuleOp kernels, Isa isa, llvm::LLVMContext &context) {
  // The module has been verified in the llvm dialect.
  auto translated = mlir::translateModuleToLLVMIR(kernels, context, ("kernels" + isaSuffix(isa)).str(),
                                                  /*disableVerification=*/true);
  assert(translated && "loops-to-llvm leaves nothing that cannot be translated");
  return translated;
}

std::unique_ptr<llvm::Module> translateKernels(mlir::ModuleOp module, Isa isa, llvm::LLVMContext &context) {
  mlir::OwningOpRef<mlir::ModuleOp> kernels = mlir::ModuleOp::create(module.getLoc());
  auto builder = mlir::OpBuilder::atBlockEnd(kernels->getBody());
  for (auto group : module.getOps<mlir::ModuleOp>())
    if (isOf(group, isa))
      for (mlir::Operation &function : *group.getBody())
        builder.clone(function);
  return translate(*kernels, isa, context);
}

llvm::Expected<std::vector<llvm::SmallVector<char, 0>>> compileKernels(mlir::ModuleOp module, llvm::ArrayRef<Isa> isas,
                                                                       CodeEffort effort) {
  std::vector<std::pair<Isa, mlir::ModuleOp>> groups; // in the order in which they are to begin
  for (auto group : module.getOps<mlir::ModuleOp>())
    for (Isa isa : isas)
      if (isOf(group, isa))
        groups.emplace_back(isa, group);
  std::vector<llvm::SmallVector<char, 0>> objects(groups.size());
  std::vector<std::string> errors(groups.size());
  KernelCodegen codegen;
  mlir::parallelFor(module.getContext(), 0, groups.size(), [&](size_t index) {
    auto [isa, group] = groups[index];
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> kernels = translate(group, isa, context);
    optimizeForIsa(*kernels, isa, effort);
    if (auto object = emitObject(*kernels, isa, effort))
      objects[index] = std::move(*object);
    else
      errors[index] = llvm::toString(object.takeError());
  });
  for (const std::string &error : errors)
    if (!error.empty())
      return llvm::createStringError(llvm::inconvertibleErrorCode(), error);
  return objects;
}

} // namespace gnnc
