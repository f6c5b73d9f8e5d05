//===- Compilation.cpp - From a checked model to files --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/Compilation.h"
#include "compiler/Driver/OutputFile.h"
#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Target/Library/BuildImage.h"
#include "compiler/Target/Library/EmitTables.h"
#include "compiler/Target/Library/Headers.h"
#include "compiler/Target/Library/Manifest.h"
#include "compiler/Target/Library/PrintImage.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace gnnc;

Compilation::Compilation(const Options &options, const Frontend &frontend)
    : options(options), frontend(frontend), context(mlir::MLIRContext::Threading::DISABLED) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  context.appendDialectRegistry(registry);
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

void Compilation::beginPhase(llvm::StringRef name) {
  phase = name;
  phaseStart = std::chrono::steady_clock::now();
}

/// Ends a phase whose result `print` prints.
void Compilation::endPhase(llvm::function_ref<void(llvm::raw_ostream &)> print, llvm::StringRef extension) {
  if (options.timePhases) {
    std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - phaseStart;
    llvm::errs() << llvm::format("%8.2f ms  ", time.count()) << phase << "\n";
  }
  if (options.dumpFolder.empty())
    return;
  std::string text;
  llvm::raw_string_ostream stream(text);
  print(stream);
  llvm::SmallString<128> path(options.dumpFolder);
  std::string number = std::to_string(100 + numPhases++).substr(1);
  llvm::sys::path::append(path, number + "-" + phase + "." + extension);
  if (llvm::Error error = writeOutput(path, stream.str()))
    fail(std::move(error));
}

int Compilation::fail(llvm::Error error) {
  llvm::errs() << "gnnc: " << llvm::toString(std::move(error)) << "\n";
  return exitFiles;
}

int Compilation::emitText(llvm::StringRef text) {
  if (llvm::Error error = writeOutput(options.output.empty() ? "-" : options.output, text))
    return fail(std::move(error));
  return writeDepfile();
}

int Compilation::runStage(llvm::StringRef name, llvm::function_ref<void(mlir::OpPassManager &)> populate) {
  beginPhase(name);
  mlir::PassManager manager(&context);
  populate(manager);
  if (mlir::failed(manager.run(*module))) {
    llvm::errs() << "gnnc: internal error in phase '" << name << "'\n";
    return exitInternal;
  }
  endPhase([&](llvm::raw_ostream &os) { module->print(os); }, "mlir");
  return exitOk;
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

int Compilation::run(const std::optional<CheckedModel> &model) {
  if (!options.dumpFolder.empty())
    if (std::error_code code = llvm::sys::fs::create_directories(options.dumpFolder))
      return fail(llvm::createStringError(code, "cannot create " + options.dumpFolder + ": " + code.message()));
  if (options.emit == Emit::Ast) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    frontend.printAST(stream);
    return emitText(text);
  }
  beginPhase("checked-model");
  endPhase([&](llvm::raw_ostream &os) { model->print(os); }, "txt");
  beginPhase("import");
  module = importModel(*model, context, frontend.sources(), options.real);
  if (!module)
    return exitInternal;
  endPhase([&](llvm::raw_ostream &os) { module->print(os); }, "mlir");

  struct Stage {
    llvm::StringRef name;
    void (*populate)(mlir::OpPassManager &);
    std::optional<Emit> emit;
  };
  static const Stage stages[] = {{"simplify", populateSimplificationPipeline, std::nullopt},
                                 {"differentiate", populateDifferentiationPipeline, Emit::Gnn},
                                 {"fuse", populateFusionPipeline, Emit::Star},
                                 {"outline", populateKernelPipeline, std::nullopt}};
  for (const Stage &stage : stages) {
    if (int code = runStage(stage.name, stage.populate))
      return code;
    if (stage.emit == options.emit)
      return emitModule();
  }
  return runBackend();
}

int Compilation::emitModule() {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  return emitText(text);
}

int Compilation::runBackend() {
  LibraryImage image = buildImage(*module);
  for (Isa isa : options.isas)
    image.isas.push_back({isaName(isa).str(), isaSuffix(isa).str()});
  image.manifest = manifestOf(*module, image);
  if (options.emit == Emit::Header)
    return emitText(cHeader(gnn::ModelAttr::of(*module), llvm::sys::path::stem(outputPath())));
  if (options.emit == Emit::Manifest)
    return emitText(image.manifest);
  std::string text;
  llvm::raw_string_ostream stream(text);
  printImage(image, stream);
  return emitText(text);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// The library, or whatever else is written: in the current folder under the name of the source unless -o says
/// otherwise.
std::string Compilation::outputPath() const {
  if (!options.output.empty())
    return options.output;
  return (llvm::sys::path::stem(options.file) + (options.emit == Emit::Object ? ".o" : ".so")).str();
}

/// A rule in the syntax of Makefiles; blanks in names are escaped.
int Compilation::writeDepfile() {
  if (options.depfile.empty())
    return exitOk;
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto escape = [&](llvm::StringRef path) {
    for (char c : path)
      stream << (c == ' ' || c == '#' ? "\\" : c == '$' ? "$" : "") << c;
  };
  escape(outputPath());
  stream << ":";
  for (const std::string &file : frontend.files()) {
    stream << " ";
    escape(file);
  }
  stream << "\n";
  if (llvm::Error error = writeOutput(options.depfile, stream.str()))
    return fail(std::move(error));
  return exitOk;
}
