//===- Compilation.h - From a checked model to files ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the stages of the compiler one after the other, as far as is asked for, and writes the result.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DRIVER_COMPILATION_H
#define GNNC_DRIVER_COMPILATION_H

#include "compiler/Driver/Options.h"
#include "compiler/Support/WorkerThreads.h"
#include "compiler/Target/GPU/Assembler.h"
#include "compiler/Target/Library/LibraryImage.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <chrono>

namespace gnnc {

class Compilation {
public:
  Compilation(const Options &options, Frontend &frontend);

  /// Compiles `model`, which is there unless only the syntax tree is asked for. Returns the exit code; what went wrong
  /// has been printed.
  int run(const std::optional<CheckedModel> &model);
  /// Reports what becomes of `model` instead of compiling it to the end. Returns the exit code.
  int explain(const CheckedModel &model);

private:
  /// Small modules are verified after each pass. For loops, that would take a tenth of the compilation, so only the
  /// result of the stage is verified; `gnn-opt`, `gnn-verify` and unit tests verify after each pass.
  enum class Verification { AfterEachPass, AfterTheLast };

  /// These return exit codes.
  int emitText(llvm::StringRef text);
  int emitModule();
  int runStage(llvm::StringRef name, llvm::function_ref<void(mlir::OpPassManager &)> populate,
               Verification verification = Verification::AfterEachPass);
  int import(const CheckedModel &model);
  int runStages(const CheckedModel &model, std::optional<Emit> last);
  int schedule(const CheckedModel &model);
  int runBackend();
  int runDeviceStage();
  int emitDeviceCode();
  int assembleDeviceCode(llvm::StringRef ptx);
  int failWithoutAssembler();
  llvm::Expected<MachineCode> assembleFor(const Chip &chip, const std::string &assembler, llvm::StringRef ptx);
  int addDeviceCode(LibraryImage &image);
  int linkCode(const LibraryImage &image);
  int emitCodeText();
  LibraryImage buildLibraryImage();
  int writeCompanions(const LibraryImage &image);
  int writeDepfile();

  void beginPhase(llvm::StringRef name);
  void endPhase();
  void endPhase(llvm::function_ref<void(llvm::raw_ostream &)> print, llvm::StringRef extension);
  int fail(llvm::Error error);
  std::string outputStem() const;

  const Options &options;
  Frontend &frontend;
  WorkerThreads threads;
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string digest; // of what the model computes
  llvm::StringRef phase;
  unsigned numPhases = 0;
  std::chrono::steady_clock::time_point phaseStart;
};

} // namespace gnnc

#endif // GNNC_DRIVER_COMPILATION_H
