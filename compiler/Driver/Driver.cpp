//===- Driver.cpp - gnnc --------------------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands of gnnc. What `gnnc FILE` does from the checked model on is in Compilation.cpp.
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/Driver.h"
#include "compiler/Driver/Compilation.h"
#include "compiler/Driver/ExplainLayer.h"
#include "compiler/Driver/Format.h"
#include "compiler/Driver/ImportModel.h"
#include "compiler/Driver/Options.h"
#include "compiler/Driver/Outputs.h"
#include "compiler/Driver/Tune.h"
#include "compiler/Frontend/Sarif.h"
#include "compiler/LanguageServer/Server.h"
#include "compiler/Support/OutputFile.h"
#include "compiler/Target/GPU/Assembler.h"
#include "compiler/Version.h"
#include "support/LastResort.h"
#include "support/Process.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <memory>

using namespace gnnc;

static int listTargets() {
  for (Isa isa : allIsas())
    llvm::outs() << isaName(isa) << ": vectors of " << vectorBits(isa) << " bits"
                 << (hasFma(isa) ? ", fused multiply-add" : "") << "\n";
  std::optional<std::string> assembler = findAssembler();
  for (const Chip &chip : allChips())
    llvm::outs() << chip.name << ": PTX"
                 << (assembler ? ", machine code by " + *assembler : "; no ptxas for machine code") << "\n";
  return exitOk;
}

/// Whether the file is there; says so if not.
static bool exists(llvm::StringRef file) {
  std::error_code code =
      file == "-" ? std::error_code() : llvm::sys::fs::access(file, llvm::sys::fs::AccessMode::Exist);
  if (code)
    llvm::errs() << "gnnc: cannot read " << file << ": " << code.message() << "\n";
  return !code;
}

/// Shows what was found; whether it stands in the way.
static bool hasFailed(const Frontend &frontend, const Options &options) {
  frontend.renderDiagnostics(llvm::errs(), options.diagnostics, options.colour);
  const DiagnosticEngine &diagnostics = frontend.diagnostics(); // what is no error is a warning
  return diagnostics.hasErrors() || (options.warningsAreErrors && !diagnostics.diagnostics().empty());
}

/// Writes the log that was asked for; `code`, or that of a file that cannot be written.
static int writeSarif(const SarifLog &log, const Options &options, int code) {
  if (options.sarif.empty() || options.isTrial)
    return code;
  llvm::Error error = writeOutput(options.sarif, log.text(gnncVersion));
  if (!error)
    return code;
  llvm::errs() << "gnnc: " << llvm::toString(std::move(error)) << "\n";
  return std::max<int>(code, exitFiles);
}

static int compile(const Options &options) {
  if (!exists(options.file))
    return exitFiles;
  Frontend frontend(options.frontend);
  frontend.loadFile(options.file); // errors of syntax hide none of the others
  std::optional<CheckedModel> model = frontend.check(/*needsModel=*/options.emit != Emit::Ast);
  std::vector<std::string> read = frontend.files();
  read.push_back(tuningPath(options));
  if (!options.isTrial && wouldLoseSource(options, read))
    return exitUsage;
  SarifLog log;
  log.add(frontend.diagnostics(), frontend.sources());
  int code = writeSarif(log, options, hasFailed(frontend, options) ? exitDiagnostics : exitOk);
  if (code != exitOk)
    return code;
  auto compilation = std::make_unique<Compilation>(options, frontend);
  code = options.command == Command::Explain ? compilation->explain(*model) : compilation->run(model);
  if (options.isTrial)
    return code;
  // The process ends: to take the module apart would be a fiftieth of its time.
  [[maybe_unused]] static Compilation *last; // so that it is no leak
  last = compilation.release();
  return code;
}

/// With the tuning file that there is.
static int compileTuned(Options options) {
  if (llvm::Error error = readTuning(options)) {
    llvm::errs() << "gnnc: " << llvm::toString(std::move(error)) << "\n";
    return exitFiles;
  }
  return compile(options);
}

/// The code that is meant by `text`: `e311` is E0311. None where it is something else.
static std::optional<std::string> codeIn(llvm::StringRef text) {
  llvm::StringRef digits = text.drop_while(llvm::isAlpha);
  if (text.size() > digits.size() + 1 || digits.empty() || digits.size() > 4 || !llvm::all_of(digits, llvm::isDigit))
    return std::nullopt;
  std::string letter = text.size() == digits.size() ? "E" : text.take_front().upper();
  return letter + std::string(4 - digits.size(), '0') + digits.str();
}

/// Whether `text` can be the name of a layer, so that it is no file and no code.
static bool isName(llvm::StringRef text) {
  return !text.empty() && llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// Prints a page on what `options.code` names, which is no model.
static int printPage(const Options &options, llvm::StringRef kind, llvm::StringRef page) {
  if (options.json || options.html) {
    llvm::errs() << "gnnc: --json and --html explain models, but " << options.code << " is " << kind << "\n";
    return exitUsage;
  }
  llvm::outs() << page;
  return exitOk;
}

/// A page on an error code or a layer of the standard library, or a report on a model.
static int explain(Options options) {
  if (!isName(options.code) || llvm::sys::fs::exists(options.code)) {
    options.file = options.code;
    return compileTuned(options);
  }
  if (std::optional<std::string> code = codeIn(options.code)) {
    if (std::optional<llvm::StringRef> page = explanation(*code))
      return printPage(options, "an error code", *page);
    llvm::errs() << "gnnc: there is no code '" << *code << "'\n";
    return exitUsage;
  }
  std::string suggestion;
  if (std::optional<std::string> page = explainLayer(options.frontend, options.code, suggestion))
    return printPage(options, "a layer", *page);
  llvm::errs() << "gnnc: there is no file and no layer of the standard library '" << options.code << "'"
               << (suggestion.empty() ? "" : "; " + suggestion) << "\n";
  return exitUsage;
}

/// Each file by itself, so that all errors of all files are shown.
static int check(const Options &options) {
  int result = exitOk;
  SarifLog log;
  std::vector<std::string> read;
  for (const std::string &file : options.files) {
    if (!exists(file)) {
      result = std::max<int>(result, exitFiles);
      continue;
    }
    Frontend frontend(options.frontend);
    frontend.loadFile(file);
    const bool declaresNothing = frontend.file().components.empty() && frontend.file().functions.empty();
    frontend.check(/*needsModel=*/declaresNothing);
    if (hasFailed(frontend, options))
      result = std::max<int>(result, exitDiagnostics);
    log.add(frontend.diagnostics(), frontend.sources());
    llvm::append_range(read, frontend.files());
  }
  if (wouldLoseSource(options, read))
    return exitUsage;
  return writeSarif(log, options, result);
}

static int run(const Options &options) {
  switch (options.command) {
  case Command::Explain:
    return explain(options);
  case Command::Targets:
    return listTargets();
  case Command::Check:
    return check(options);
  case Command::Format:
    return formatFiles(options);
  case Command::Import:
    return importExportedModel(options);
  case Command::LanguageServer:
    return lsp::serve(options.frontend, stdin, stdout);
  case Command::Tune:
    if (!exists(options.file))
      return exitFiles;
    return wouldLoseSource(options, options.file) ? exitUsage : tune(options, compile);
  case Command::Compile:
    return compileTuned(options);
  }
  llvm_unreachable("all commands handled");
}

/// Reports output that llvm::outs() could not write, which would otherwise abort the program at its end.
static int finishOutput(int code) {
  llvm::outs().flush();
  bool isLost = llvm::outs().has_error();
  std::error_code reason = llvm::outs().error();
  llvm::outs().clear_error();
  if (isLost)
    llvm::errs() << "gnnc: cannot write standard output: " << reason.message() << "\n";
  code = ::gnn::tools::finishOutput("gnnc", code);
  return isLost && code == exitOk ? exitFiles : code;
}

int gnnc::runDriver(int argc, char **argv) {
  ::gnn::tools::openStandardStreams();
  ::gnn::tools::reportFileSizeLimit();
  ::gnn::tools::installLastResort("gnnc", llvm::sys::RunInterruptHandlers);
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { ::gnn::tools::endWithoutMemory(); });
  try {
    int exitCode = exitOk;
    std::optional<Options> options = parseCommandLine(argc, argv, exitCode);
    return finishOutput(options ? run(*options) : exitCode);
  } catch (...) {
    return ::gnn::tools::reportException("gnnc");
  }
}
