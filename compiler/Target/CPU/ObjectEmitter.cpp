//===- ObjectEmitter.cpp - LLVM IR to x86-64 code ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/ObjectEmitter.h"
#include "compiler/Target/CPU/KernelCodegen.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"

namespace gnnc {

namespace {

constexpr llvm::StringLiteral targetTriple = "x86_64-unknown-linux-gnu";

std::unique_ptr<llvm::TargetMachine> createTargetMachine(Isa isa, CodeEffort effort) {
  static const bool initialized = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    return true;
  }();
  (void)initialized;
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(targetTriple.str(), error);
  assert(target && "LLVM is built without its X86 target");
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      targetTriple, isaName(isa), /*Features=*/"", llvm::TargetOptions(), llvm::Reloc::PIC_, llvm::CodeModel::Small,
      effort == CodeEffort::Quick ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default));
}

/// The passes of LLVM that move scalars and loads out of loops and clean up. gnnc's own lowering has vectorised and
/// unrolled before, and keeps accumulators in registers. LLVM's O2 takes five times as long and gives the same loops.
constexpr llvm::StringLiteral pipeline =
    "function(sroa,early-cse<memssa>,simplifycfg,loop-mssa(licm),early-cse<memssa>,"
    "instcombine<no-verify-fixpoint>,simplifycfg,adce)";

llvm::Error failure(const llvm::Twine &what) { return llvm::createStringError(llvm::inconvertibleErrorCode(), what); }

/// Sets what every function of ours has: it never unwinds, uses the whole vector registers, and is nobody else's
/// business.
void setAttributes(llvm::Module &module, Isa isa, CodeEffort effort) {
  for (llvm::Function &function : module) {
    function.addFnAttr(llvm::Attribute::NoUnwind);
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", isaName(isa));
    function.addFnAttr("prefer-vector-width", std::to_string(vectorBits(isa)));
    function.addFnAttr("no-trapping-math", "true");
    if (effort == CodeEffort::Checked)
      function.addFnAttr(llvm::Attribute::SanitizeAddress);
  }
  for (llvm::GlobalValue &value : module.global_values())
    if (!value.isDeclaration() && !value.hasLocalLinkage() && value.getName() != librarySymbol)
      value.setVisibility(llvm::GlobalValue::HiddenVisibility);
}

llvm::Error emit(llvm::Module &module, Isa isa, CodeEffort effort, llvm::CodeGenFileType type,
                 llvm::SmallVectorImpl<char> &out) {
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(isa, effort);
  llvm::raw_svector_ostream stream(out);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, type))
    return failure("the X86 target cannot emit this kind of file");
  passes.run(module);
  return llvm::Error::success();
}

} // namespace

void optimizeForIsa(llvm::Module &module, Isa isa, CodeEffort effort) {
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(isa, effort);
  module.setTargetTriple(targetTriple);
  module.setDataLayout(machine->createDataLayout());
  setAttributes(module, isa, effort);

  llvm::PassBuilder builder(machine.get());
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  // No library function is to be called that we did not ask for: LLVM would make an exp2 of some powers.
  llvm::TargetLibraryInfoImpl libraryInfo(llvm::Triple(module.getTargetTriple()));
  libraryInfo.disableAllFunctions();
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(libraryInfo); });
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  if (effort != CodeEffort::Quick)
    llvm::cantFail(builder.parsePassPipeline(passes, pipeline));
  if (effort == CodeEffort::Checked)
    passes.addPass(llvm::AddressSanitizerPass(llvm::AddressSanitizerOptions(), /*UseGlobalGC=*/false));
  passes.run(module, modules);
}

llvm::Expected<llvm::SmallVector<char, 0>> emitObject(llvm::Module &module, Isa isa, CodeEffort effort) {
  llvm::SmallVector<char, 0> object;
  if (llvm::Error error = emit(module, isa, effort, llvm::CodeGenFileType::ObjectFile, object))
    return error;
  return object;
}

llvm::Expected<std::string> emitAssembly(llvm::Module &module, Isa isa) {
  KernelCodegen codegen;
  llvm::SmallVector<char, 0> text;
  if (llvm::Error error = emit(module, isa, CodeEffort::Full, llvm::CodeGenFileType::AssemblyFile, text))
    return error;
  return std::string(text.begin(), text.end());
}

} // namespace gnnc
