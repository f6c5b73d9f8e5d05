//===- Options.h - What gnnc is asked to do ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of gnnc as data, and the exit codes.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DRIVER_OPTIONS_H
#define GNNC_DRIVER_OPTIONS_H

#include "compiler/Conversion/CheckedModelToGnn/CheckedModelToGnn.h"
#include "compiler/Frontend/Frontend.h"
#include "compiler/Import/Import.h"
#include "compiler/Target/CPU/Isa.h"
#include "compiler/Target/CPU/ObjectEmitter.h"
#include "compiler/Target/GPU/Chip.h"
#include "compiler/Tuning/TuningFile.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "dialects/Star/IR/Star.h"
#include <optional>

namespace gnnc {

enum ExitCode { exitOk = 0, exitDiagnostics = 1, exitUsage = 2, exitFiles = 3, exitInternal = 70 };

/// The output: a library with its headers and manifest, or the program after one stage.
enum class Emit {
  SharedLibrary,
  Ast,
  Gnn,
  Star,
  Gpu,
  Ptx,
  Cubin,
  Loops,
  Llvm,
  Assembly,
  Program,
  Object,
  Header,
  Manifest
};

enum class Command { Compile, Check, Format, Explain, Import, Tune, Targets, LanguageServer };

struct Options {
  Command command = Command::Compile;
  std::string file;               // `-`: standard input
  std::vector<std::string> files; // check, fmt: several of the same; fmt: folders too
  bool checkOnly = false;         // fmt: write nothing
  std::string output;             // empty: from the file's name, or standard output for text; `-`: standard output
  std::string code;               // explain: an error code or, as `file`, a model
  bool json = false;              // explain: as JSON
  bool html = false;              // explain: as a page for a browser
  pt2::Stage importStage = pt2::Stage::Program; // import
  bool existOk = false;                         // import
  std::string remarks;                          // explain: where to write remarks; empty: nowhere
  FrontendOptions frontend;
  RealType real = RealType::F32;
  star::Storage storage = star::Storage::Elements; // of several f32 of a vertex or an edge
  gnn::EdgeProducts edgeProducts = gnn::EdgeProducts::Auto;
  gnn::Products products = gnn::Products::Both;
  bool bothInputForms = true;  // of the input that allows it
  bool roundsProducts = false; // dense products are of bf16
  gnn::Keep keep = gnn::Keep::Fast;
  bool vjp = false;                         // the model is a differentiable function too
  CodeEffort effort = CodeEffort::Full;     // of kernels on processors
  bool poisons = false;                     // kernels on processors have NaN where nothing may depend on the number
  std::vector<Isa> isas;                    // ascending
  std::vector<Chip> chips;                  // ascending
  std::vector<ScheduleRequest> schedule;    // beside what the source says, and after it
  std::vector<ScheduleRequest> tuning;      // before it: what was measured
  std::vector<TuningSection> tunedGraphs;   // among which the runtime chooses what is left to it
  std::string tuningFile;                   // empty: the one beside the source; `none`: none
  std::optional<GraphStatistics> likeGraph; // whose tuning is wanted in code
  std::string data, runner;                 // tune: a data set, and what measures (empty: gnn-train)
  std::string device = "cpu";               // tune: where to measure: cpu, cuda, cuda:N
  double seconds = 60;                      // tune
  unsigned threads = 0;                     // tune; 0: as many as there are
  Emit emit = Emit::SharedLibrary;
  std::string dumpFolder; // --dump-phases; empty: none
  std::string depfile;
  DiagnosticFormat diagnostics = DiagnosticFormat::Rich;
  bool colour = false;
  std::string sarif; // where to write diagnostics as SARIF; empty: nowhere
  bool warningsAreErrors = false;
  bool resourceUsage = false; // --resource-usage: a table of what device functions take
  bool timePhases = false;
  bool quiet = false;
  bool isTrial = false; // of tune: the library alone; what devices may have no room for is left to whoever runs it
};

/// Reads the command line. None: `exitCode` says whether that was a request for help or a mistake, which has been
/// reported.
std::optional<Options> parseCommandLine(int argc, char **argv, int &exitCode);

/// A command line that compiles the same library, for a shell. The source is without its folder, and what to write is
/// not said: the same source and options give the same text anywhere.
std::string commandOf(const Options &options);

} // namespace gnnc

#endif // GNNC_DRIVER_OPTIONS_H
