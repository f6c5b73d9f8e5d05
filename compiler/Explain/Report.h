//===- Report.h - What the compiler made of a model -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answer of `gnnc explain MODEL` as data, and its three forms: text, JSON and remarks. Bytes and flops are for one
// vertex or one edge. An open dimension counts as its default, else as CostModel assumes.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_EXPLAIN_REPORT_H
#define GNNC_EXPLAIN_REPORT_H

#include "mlir/IR/BuiltinOps.h"
#include <functional>
#include <string>
#include <vector>

namespace gnnc {

/// A place in a source file; line 0: none.
struct SourcePlace {
  std::string file;
  unsigned line = 0, column = 0;

  bool operator==(const SourcePlace &other) const { return file == other.file && line == other.line; }
};

/// A field with the bytes of one vertex or edge, or, of a parameter, of the whole.
struct SizedField {
  std::string name;
  std::string type; // as in the source: `real[heads, out]`
  int64_t bytes = 0;
};

/// A tensor that the backward pass reads from memory.
struct KeptField {
  SizedField field;
  std::string form; // "kept" or "compact"
  std::string reason;
};

/// A field that a step leaves in memory for later ones.
struct LeftField {
  SizedField field;
  std::string of;               // "vertex", "edge" or "whole": what the bytes are of
  std::vector<unsigned> readBy; // steps, ascending
};

struct StepReport {
  unsigned number = 0; // from 1
  std::string kind;    // "sweep", "map", "product"
  std::string kernel;  // empty for products
  std::string over;    // "edge to destination", "vertex", "parameters"
  unsigned relation = 0;
  bool backward = false;
  bool ofBf16 = false; // a product whose operands are rounded to bf16
  SourcePlace place;
  std::vector<SourcePlace> perEdge, perVertex; // what was fused: source lines
  unsigned edgeOps = 0, vertexOps = 0;
  unsigned softmaxSums = 0; // weighted sums that share the sweep of their normaliser
  unsigned reductions = 0;
  std::vector<std::pair<std::string, int64_t>> schedule; // knobs that were chosen
  unsigned threads = 0;           // of a device that share a row; 0: it is not known how the kernel is mapped
  std::vector<std::string> stops; // why what follows is another step
  std::vector<SizedField> gathers, edgeReads, edgeWrites;   // an edge
  std::vector<SizedField> vertexReads, vertexWrites, whole; // a vertex; once
  int64_t edgeFlops = 0, vertexFlops = 0;
  std::vector<LeftField> leaves;
  std::vector<KeptField> keeps;
  std::vector<SourcePlace> recomputes; // source lines of forward that a backward step computes again

  int64_t edgeBytes() const;
  int64_t vertexBytes() const;
  /// Flops a byte of the part that runs for each edge (sweeps) or vertex.
  double intensity() const;
  /// The resource that limits the part: "memory" or "arithmetic".
  std::string bound() const;
};

/// A field of vertices or parameters in memory while a program runs.
struct TensorReport {
  SizedField field;
  std::string role;             // "input", "parameter", "kept for backward", "between steps", "gradient", "result"
  unsigned from = 0, until = 0; // steps; 0: before the first
  bool ofVertices = true;
};

struct ProgramReport {
  std::string name;
  std::vector<StepReport> steps;
  std::vector<TensorReport> tensors;
  std::vector<SizedField> edgeTensors;    // that the program stores
  std::vector<SizedField> messagePassing; // that a framework of messages, such as PyG, would store for its forward pass
};

struct Report {
  std::string model;
  std::vector<std::pair<std::string, int64_t>> dimensions; // open ones, with the value that is assumed
  std::vector<ProgramReport> programs;                     // the first of each kind
  std::vector<std::string> variants; // of kinds that have several, all, with their orders of sums and products
};

/// Reports on `module` as star-outline-kernels leaves it.
Report buildReport(mlir::ModuleOp module);
/// Where in a source `loc` is; line 0 if it is in none.
SourcePlace placeOf(mlir::Location loc);

/// The file's name, of a layer of the standard library with its folder, and the line.
std::string shortPlace(const SourcePlace &place);

/// The text of a line of a source file, without blanks at its ends; empty where there is none.
using LineText = std::function<std::string(const SourcePlace &)>;

void printReport(const Report &report, const LineText &lineText, llvm::raw_ostream &os);
std::string reportJson(const Report &report);
/// A page for a browser: each program as a drawing of its steps.
std::string reportHtml(const Report &report, const LineText &lineText);
/// In the YAML records of LLVM's remarks, which llvm-remarkutil and editors read.
void printRemarks(const Report &report, llvm::raw_ostream &os);

} // namespace gnnc

#endif // GNNC_EXPLAIN_REPORT_H
