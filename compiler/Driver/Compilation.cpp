//===- Compilation.cpp - From a checked model to files --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/Compilation.h"
#include "compiler/Driver/Outputs.h"
#include "compiler/Driver/ResourceUsage.h"
#include "compiler/Explain/Report.h"
#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Support/OutputFile.h"
#include "compiler/Target/CPU/KernelTranslation.h"
#include "compiler/Target/CPU/SharedLibrary.h"
#include "compiler/Target/GPU/PtxEmitter.h"
#include "compiler/Target/Library/BuildImage.h"
#include "compiler/Target/Library/DescribeTunings.h"
#include "compiler/Target/Library/EmitTables.h"
#include "compiler/Target/Library/Headers.h"
#include "compiler/Target/Library/Manifest.h"
#include "compiler/Target/Library/PrintImage.h"
#include "dialects/Star/Transforms/Passes.h"
#include "dialects/Star/Transforms/ScheduleKernels.h"
#include "mlir/IR/Verifier.h"
#include "support/Process.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace gnnc;

Compilation::Compilation(const Options &options, Frontend &frontend)
    : options(options), frontend(frontend), context(mlir::MLIRContext::Threading::DISABLED) {
  context.setThreadPool(threads);
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

void Compilation::endPhase() {
  if (!options.timePhases)
    return;
  std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - phaseStart;
  llvm::errs() << llvm::format("%8.2f ms  ", time.count()) << phase << "\n";
}

/// Ends a phase whose result `print` prints.
void Compilation::endPhase(llvm::function_ref<void(llvm::raw_ostream &)> print, llvm::StringRef extension) {
  endPhase();
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

int Compilation::runStage(llvm::StringRef name, llvm::function_ref<void(mlir::OpPassManager &)> populate,
                          Verification verification) {
  beginPhase(name);
  mlir::PassManager manager(&context);
  manager.enableVerifier(verification == Verification::AfterEachPass);
  populate(manager);
  const bool isDone = mlir::succeeded(manager.run(*module));
  if (!isDone || (verification == Verification::AfterTheLast && mlir::failed(mlir::verify(*module)))) {
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
  if (int code = runStages(*model, options.emit))
    return code;
  return options.emit == Emit::Gnn || options.emit == Emit::Star ? emitModule() : runBackend();
}

/// A digest of everything that decides what the model computes: its source, checked and with dimensions fixed, and how
/// numbers are represented.
static std::string digestOf(const CheckedModel &model, const Options &options) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << (options.real == RealType::F64 ? "f64 " : "f32 ") << star::stringifyStorage(options.storage)
         << (options.roundsProducts ? " products of bf16\n" : "\n");
  model.print(stream);
  return llvm::utohexstr(llvm::xxh3_64bits(stream.str()), /*LowerCase=*/true, /*Width=*/16);
}

/// Imports the model; twice, once for each form of an input that may be dense or sparse, if the options say so.
int Compilation::import(const CheckedModel &model) {
  beginPhase("import");
  const std::optional<InputForms> forms = options.bothInputForms ? frontend.inputForms(model) : std::nullopt;
  module = forms ? importForms(*forms, model.inputs[forms->input].sparse, context, frontend.sources(), options.real)
                 : importModel(model, context, frontend.sources(), options.real);
  if (!module)
    return exitInternal;
  endPhase([&](llvm::raw_ostream &os) { module->print(os); }, "mlir");
  return exitOk;
}

/// From the checked model to outlined kernels, or to the stage that gives `last`.
int Compilation::runStages(const CheckedModel &model, std::optional<Emit> last) {
  digest = digestOf(model, options);
  beginPhase("checked-model");
  endPhase([&](llvm::raw_ostream &os) { model.print(os); }, "txt");
  if (int code = import(model))
    return code;

  if (int code = runStage("simplify", [&](mlir::OpPassManager &manager) {
        populateSimplificationPipeline(manager, options.edgeProducts, options.products, options.vjp);
      }))
    return code;
  if (int code = runStage(
          "differentiate",
          [&](mlir::OpPassManager &manager) { populateDifferentiationPipeline(manager, options.keep, options.vjp); });
      code || last == Emit::Gnn)
    return code;
  if (int code = runStage("fuse", [&](mlir::OpPassManager &manager) { populateFusionPipeline(manager, options.keep); });
      code || last == Emit::Star)
    return code;
  if (int code = runStage("outline", [&](mlir::OpPassManager &manager) {
        populateKernelPipeline(manager, options.storage, options.roundsProducts);
      }))
    return code;
  return schedule(model);
}

/// Gives the kernels the schedules that the source and the command line ask for.
int Compilation::schedule(const CheckedModel &model) {
  beginPhase("schedule");
  std::vector<ScheduleRequest> requests = options.tuning;
  requests.insert(requests.end(), model.schedule.begin(), model.schedule.end());
  requests.insert(requests.end(), options.schedule.begin(), options.schedule.end());
  if (llvm::Error error = star::scheduleKernels(*module, requests)) {
    llvm::errs() << "gnnc: --schedule: " << llvm::toString(std::move(error)) << "\n";
    return exitUsage;
  }
  endPhase([&](llvm::raw_ostream &os) { module->print(os); }, "mlir");
  return exitOk;
}

/// The line of one of the sources at `place`, without blanks at its ends.
static std::string lineOf(const llvm::SourceMgr &sources, const SourcePlace &place) {
  for (unsigned id = 1; id <= sources.getNumBuffers(); ++id) {
    const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(id);
    if (buffer->getBufferIdentifier() != place.file)
      continue;
    for (llvm::line_iterator line(*buffer, /*SkipBlanks=*/false); !line.is_at_end(); ++line)
      if (line.line_number() == place.line)
        return line->trim().str();
  }
  return {};
}

int Compilation::explain(const CheckedModel &model) {
  if (int code = runStages(model, std::nullopt))
    return code;
  if (!options.chips.empty())
    if (int code = runStage("map", [](mlir::OpPassManager &manager) { manager.addPass(star::createMapThreads()); }))
      return code;
  Report report = buildReport(*module);
  if (!options.remarks.empty()) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    printRemarks(report, stream);
    if (llvm::Error error = writeOutput(options.remarks, stream.str()))
      return fail(std::move(error));
  }
  if (options.json)
    return emitText(reportJson(report));
  auto lineText = [&](const SourcePlace &place) { return ::gnn::tools::printable(lineOf(frontend.sources(), place)); };
  if (options.html)
    return emitText(reportHtml(report, lineText));
  std::string text;
  llvm::raw_string_ostream stream(text);
  printReport(report, lineText, stream);
  return emitText(stream.str());
}

int Compilation::emitModule() {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  return emitText(text);
}

/// From outlined kernels to what is asked for.
int Compilation::runBackend() {
  // Neither depends on code.
  if (options.emit == Emit::Header)
    return emitText(cHeader(gnn::ModelAttr::of(*module), outputStem(), digest));
  if (options.emit == Emit::Manifest)
    return emitText(buildLibraryImage().manifest);
  if (options.emit == Emit::Gpu || options.emit == Emit::Ptx || options.emit == Emit::Cubin)
    return emitDeviceCode();

  if (!options.chips.empty())
    if (int code = runDeviceStage())
      return code;
  auto toLoops = [&](mlir::OpPassManager &manager) { populateLoopsPipeline(manager, options.isas, options.poisons); };
  if (int code = runStage("loops", toLoops, Verification::AfterTheLast))
    return code;
  if (options.emit == Emit::Loops)
    return emitModule();
  LibraryImage image = buildLibraryImage();
  if (options.emit == Emit::Program) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    printImage(image, stream);
    return emitText(stream.str());
  }
  if (image.device)
    if (int code = addDeviceCode(image))
      return code;
  if (int code = runStage("llvm", populateLLVMPipeline, Verification::AfterTheLast))
    return code;
  if (options.emit == Emit::Llvm || options.emit == Emit::Assembly)
    return emitCodeText();
  return linkCode(image);
}

int Compilation::runDeviceStage() {
  auto refuse = [](llvm::Error error, ExitCode code) {
    llvm::errs() << "gnnc: " << llvm::toString(std::move(error)) << "\n";
    return code;
  };
  if (!options.isTrial)
    if (llvm::Error error = checkSharedMemory(*module, options.chips))
      return refuse(std::move(error), exitUsage);
  if (int code = runStage("gpu", populateDevicePipeline))
    return code;
  if (llvm::Error error = checkArguments(*module))
    return refuse(std::move(error), exitDiagnostics);
  return exitOk;
}

/// Device functions, in the gpu dialect or as PTX.
int Compilation::emitDeviceCode() {
  if (int code = runDeviceStage())
    return code;
  auto device = *module->getOps<mlir::gpu::GPUModuleOp>().begin();
  if (options.emit == Emit::Gpu) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    device.print(stream);
    return emitText(text + "\n");
  }
  if (int code = runStage("nvvm", populateNVVMPipeline))
    return code;
  beginPhase("ptx");
  std::string ptx = emitPtx(device, options.chips[0]);
  endPhase([&](llvm::raw_ostream &os) { os << ptx; }, "ptx");
  if (options.emit == Emit::Ptx && !options.resourceUsage)
    return emitText(ptx);
  return assembleDeviceCode(ptx);
}

int Compilation::failWithoutAssembler() {
  return fail(llvm::createStringError(llvm::inconvertibleErrorCode(),
                                      "there is no ptxas, which makes machine code of PTX: install the CUDA toolkit, "
                                      "or name it by the environment variable GNNC_PTXAS"));
}

/// The machine code of `ptx`; reports what its functions take, if that is wanted.
llvm::Expected<MachineCode> Compilation::assembleFor(const Chip &chip, const std::string &assembler,
                                                     llvm::StringRef ptx) {
  beginPhase("ptxas");
  llvm::Expected<MachineCode> code = assemble(assembler, ptx, chip.name);
  endPhase();
  if (code && options.resourceUsage)
    printResourceUsage(*module, chip, code->usage, llvm::errs());
  return code;
}

/// Device functions as machine code, or as the PTX that was made of them.
int Compilation::assembleDeviceCode(llvm::StringRef ptx) {
  std::optional<std::string> assembler = findAssembler();
  if (!assembler)
    return failWithoutAssembler();
  llvm::Expected<MachineCode> code = assembleFor(options.chips[0], *assembler, ptx);
  if (!code)
    return fail(code.takeError());
  if (options.emit == Emit::Ptx)
    return emitText(ptx);
  if (llvm::Error error = writeOutput(outputPath(options), llvm::StringRef(code->cubin.data(), code->cubin.size())))
    return fail(std::move(error));
  return writeDepfile();
}

/// Machine code for each device, and PTX of the newest for newer ones; without an assembler PTX of each. The device
/// module is done with then.
int Compilation::addDeviceCode(LibraryImage &image) {
  if (int code = runStage("nvvm", populateNVVMPipeline))
    return code;
  auto device = *module->getOps<mlir::gpu::GPUModuleOp>().begin();
  std::optional<std::string> assembler = findAssembler();
  if (options.resourceUsage && !assembler)
    return failWithoutAssembler();
  if (!assembler && !options.quiet)
    llvm::errs() << "gnnc: there is no ptxas: the library has PTX for devices, of which drivers make machine code\n";
  std::vector<DeviceCodeImage> texts;
  for (const Chip &chip : options.chips) {
    beginPhase("ptx");
    std::string ptx = emitPtx(device, chip);
    endPhase([&](llvm::raw_ostream &os) { os << ptx; }, "ptx");
    if (assembler) {
      llvm::Expected<MachineCode> code = assembleFor(chip, *assembler, ptx);
      if (!code)
        return fail(code.takeError());
      image.device->code.push_back({chip.arch(), /*isPtx=*/false, std::string(code->cubin.begin(), code->cubin.end())});
    }
    if (!assembler || &chip == &options.chips.back())
      texts.push_back({chip.arch(), /*isPtx=*/true, ptx});
  }
  llvm::move(texts, std::back_inserter(image.device->code));
  device.erase();
  return exitOk;
}

LibraryImage Compilation::buildLibraryImage() {
  LibraryImage image = buildImage(*module);
  for (Isa isa : options.isas)
    image.isas.push_back({isaName(isa).str(), isaSuffix(isa).str()});
  for (const Chip &chip : options.chips)
    image.chips.push_back(chip.name.str());
  image.tunings = describeTunings(*module, image, options.tunedGraphs);
  image.symbol = linkedSymbol(outputStem());
  image.digest = digest;
  image.command = commandOf(options);
  image.manifest = manifestOf(*module, image);
  return image;
}

int Compilation::linkCode(const LibraryImage &image) {
  beginPhase("objects");
  auto objects = compileKernels(*module, options.isas, options.effort);
  if (!objects)
    return fail(objects.takeError());
  llvm::LLVMContext llvmContext;
  const bool isShared = options.emit == Emit::SharedLibrary;
  std::unique_ptr<llvm::Module> tables = emitTables(image, llvmContext, isShared);
  auto tablesObject = emitObject(*tables, Isa::X86_64_V2);
  if (!tablesObject)
    return fail(tablesObject.takeError());
  endPhase();

  beginPhase("link");
  llvm::SmallVector<llvm::ArrayRef<char>> inputs = {*tablesObject};
  inputs.append(objects->begin(), objects->end());
  std::string path = outputPath(options);
  auto linked = isShared ? linkSharedLibrary(inputs, llvm::sys::path::filename(path)) : linkObject(inputs);
  if (!linked)
    return fail(linked.takeError());
  if (llvm::Error error = writeOutput(path, *linked, isShared ? FileMode::Executable : FileMode::Data))
    return fail(std::move(error));
  endPhase();
  if (int code = writeCompanions(image))
    return code;
  return writeDepfile();
}

/// The optimised code of every instruction set, as LLVM IR or assembly.
int Compilation::emitCodeText() {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (Isa isa : options.isas) {
    llvm::LLVMContext llvmContext;
    std::unique_ptr<llvm::Module> kernels = translateKernels(*module, isa, llvmContext);
    optimizeForIsa(*kernels, isa, options.effort);
    if (options.emit == Emit::Llvm) {
      kernels->print(stream, nullptr);
      continue;
    }
    auto assembly = emitAssembly(*kernels, isa);
    if (!assembly)
      return fail(assembly.takeError());
    stream << *assembly;
  }
  return emitText(stream.str());
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// The name that the headers and the identifiers in them begin with.
std::string Compilation::outputStem() const { return llvm::sys::path::stem(outputPath(options)).str(); }

/// Headers and manifest, beside the library; not beside /dev/null, nor beside what is only measured.
int Compilation::writeCompanions(const LibraryImage &image) {
  if (options.isTrial || isSpecialFile(outputPath(options)))
    return exitOk;
  gnn::ModelAttr model = gnn::ModelAttr::of(*module);
  std::string written = outputPath(options);
  const std::string stem = outputStem();
  const std::pair<llvm::StringRef, std::string> files[] = {{headerExtension, cHeader(model, stem, digest)},
                                                           {cppHeaderExtension, cppHeader(model, stem, digest)},
                                                           {manifestExtension, image.manifest}};
  for (const auto &[extension, text] : files) {
    std::string path = companionPath(options, extension);
    if (llvm::Error error = writeOutput(path, text))
      return fail(std::move(error));
    written += ", " + path;
  }
  if (!options.quiet)
    llvm::errs() << "wrote " << written << "\n";
  return exitOk;
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
  escape(outputPath(options));
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
