//===- PtxEmitter.cpp - Device functions to PTX ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/PtxEmitter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

namespace gnnc {

void registerDeviceTranslation(mlir::DialectRegistry &registry) { mlir::registerNVVMDialectTranslation(registry); }

static std::unique_ptr<llvm::TargetMachine> createTargetMachine(const Chip &chip) {
  static const bool initialized = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)initialized;
  constexpr llvm::StringLiteral triple = "nvptx64-nvidia-cuda";
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple.str(), error);
  assert(target && "LLVM is built without its NVPTX target");
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, chip.name, ("+" + chip.ptx).str(), llvm::TargetOptions(), std::nullopt,
                                  std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple().str());
  module.setDataLayout(machine.createDataLayout());
  for (llvm::Function &function : module)
    function.addFnAttr(llvm::Attribute::NoUnwind);

  // ptxas unrolls, and knows how many registers that takes.
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = false;
  llvm::PassBuilder builder(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  // There is no library on a device whose functions could be called.
  llvm::TargetLibraryInfoImpl libraryInfo(machine.getTargetTriple());
  libraryInfo.disableAllFunctions();
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(libraryInfo); });
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes = builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2);
  passes.run(module, modules);
}

std::string emitPtx(mlir::gpu::GPUModuleOp device, const Chip &chip) {
  mlir::OwningOpRef<mlir::ModuleOp> functions = mlir::ModuleOp::create(device.getLoc());
  auto builder = mlir::OpBuilder::atBlockEnd(functions->getBody());
  for (mlir::Operation &op : device.getBody()->without_terminator())
    builder.clone(op);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = mlir::translateModuleToLLVMIR(*functions, context, "device");
  assert(module && "gpu-to-nvvm leaves nothing that cannot be translated");

  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(chip);
  optimize(*module, *machine);
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  bool failed = machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile);
  assert(!failed && "the NVPTX target prints assembly");
  (void)failed;
  passes.run(*module);
  return text.str().str();
}

} // namespace gnnc
