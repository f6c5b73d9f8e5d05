//===- InProcess.cpp - Compiling in this process --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/Verify/InProcess.h"
#include "compiler/Conversion/GnnToStar/GnnToStar.h"
#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Target/CPU/KernelTranslation.h"
#include "compiler/Target/CPU/SharedLibrary.h"
#include "compiler/Target/Library/BuildImage.h"
#include "compiler/Target/Library/EmitTables.h"
#include "compiler/Target/Library/Manifest.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "dialects/Star/Transforms/ScheduleKernels.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "runtime/src/core/Poison.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Path.h"

namespace gnnc::verify {

InProcessCompiler::InProcessCompiler() : context(mlir::MLIRContext::Threading::DISABLED) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
}

/// What `populateSimplificationPipeline` and `populateDifferentiationPipeline` may not leave out.
static void populateRequiredPasses(mlir::OpPassManager &manager) {
  manager.addPass(gnn::createDifferentiate());
  manager.addPass(gnn::createDerivePrograms());
  mlir::OpPassManager &program = manager.nest<gnn::ProgramOp>();
  program.addPass(gnn::createDecompose());
  program.addPass(gnn::createHoist());
  program.addPass(gnn::createSeparateResults());
}

static void populatePasses(mlir::OpPassManager &manager, const CompileVariant &variant) {
  if (variant.optimize) {
    populateSimplificationPipeline(manager);
    populateDifferentiationPipeline(manager, variant.keep);
  } else {
    populateRequiredPasses(manager);
  }
  manager.addPass(createGnnToStar({variant.fuse, variant.keep}));
  populateKernelPipeline(manager, variant.storage);
}

static llvm::Error link(mlir::ModuleOp module, const LibraryImage &image, Isa isa, CodeEffort effort,
                        const std::string &output) {
  auto objects = compileKernels(module, {isa}, effort);
  if (!objects)
    return objects.takeError();
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> tables = emitTables(image, llvmContext);
  auto tablesObject = emitObject(*tables, isa);
  if (!tablesObject)
    return tablesObject.takeError();
  llvm::SmallVector<llvm::ArrayRef<char>> inputs = {*tablesObject};
  inputs.append(objects->begin(), objects->end());
  auto library = linkSharedLibrary(inputs, llvm::sys::path::filename(output));
  if (!library)
    return library.takeError();
  return llvm::writeToOutput(output, [&](llvm::raw_ostream &os) { return os << *library, llvm::Error::success(); });
}

std::string InProcessCompiler::compile(const CheckedModel &model, const Frontend &frontend,
                                       const CompileVariant &variant, const std::string &output,
                                       std::unique_ptr<device::EmulatedDevice> *onDevice) {
  const Isa isa = variant.isa ? *variant.isa : hostIsa().value();
  // Processes of trials are forked, and threads would not be.
  context.enableMultithreading();
  auto endThreads = llvm::make_scope_exit([&] { context.disableMultithreading(); });
  std::string messages;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    messages += diagnostic.str() + "\n";
    return mlir::success();
  });
  mlir::OwningOpRef<mlir::ModuleOp> module = importModel(model, context, frontend.sources(), variant.real);
  if (!module)
    return "the import fails: " + messages;
  mlir::PassManager star(&context), code(&context);
  populatePasses(star, variant);
  if (mlir::failed(star.run(*module)))
    return "a pass fails: " + messages;
  if (llvm::Error error = star::scheduleKernels(*module, model.schedule))
    return llvm::toString(std::move(error));
  if (onDevice)
    populateDevicePipeline(code);
  populateLoopsPipeline(code, {isa}, ::gnn::rt::isPoisoning());
  if (mlir::failed(code.run(*module)))
    return "a pass fails: " + messages;
  if (onDevice)
    *onDevice = std::make_unique<device::EmulatedDevice>(*module);
  LibraryImage image = buildImage(*module);
  image.isas.push_back({isaName(isa).str(), isaSuffix(isa).str()});
  image.manifest = manifestOf(*module, image);
  mlir::PassManager llvmPasses(&context);
  populateLLVMPipeline(llvmPasses);
  if (mlir::failed(llvmPasses.run(*module)))
    return "a pass fails: " + messages;
  if (llvm::Error error = link(*module, image, isa, variant.effort, output))
    return llvm::toString(std::move(error));
  return "";
}

} // namespace gnnc::verify
