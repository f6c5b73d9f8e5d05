//===- PrintReport.cpp - The report as text -------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Explain/Report.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace gnnc;

namespace {

class Printer {
public:
  Printer(const LineText &lineText, llvm::raw_ostream &os) : lineText(lineText), os(os) {}

  void print(const Report &report);

private:
  void print(const ProgramReport &program);
  void print(const StepReport &step);
  void printWork(const StepReport &step);
  void printCost(const StepReport &step);
  void printPasses(const ProgramReport &program);
  void printTensors(const ProgramReport &program);
  void printLines(llvm::StringRef label, llvm::ArrayRef<SourcePlace> places);
  void printList(llvm::StringRef label, llvm::ArrayRef<std::string> lines);
  llvm::raw_ostream &begin(llvm::StringRef label) { return os << "     " << llvm::left_justify(label, 12); }

  const LineText &lineText;
  llvm::raw_ostream &os;
  std::map<std::string, std::string> explained; // by kernel: where
};

} // namespace

static std::string plural(int64_t count, llvm::StringRef noun, llvm::StringRef ending = "s") {
  return (std::to_string(count) + " " + noun + (count == 1 ? "" : ending)).str();
}

/// `conv1.z 256, conv1.s 32`.
static std::string listed(llvm::ArrayRef<SizedField> fields) {
  auto texts = llvm::map_to_vector(
      fields, [](const SizedField &field) { return field.name + " " + std::to_string(field.bytes); });
  return llvm::join(texts, ", ");
}

static int64_t sum(llvm::ArrayRef<SizedField> fields) {
  int64_t bytes = 0;
  for (const SizedField &field : fields)
    bytes += field.bytes;
  return bytes;
}

void Printer::printLines(llvm::StringRef label, llvm::ArrayRef<SourcePlace> places) {
  for (const SourcePlace &place : places) {
    begin(label) << llvm::left_justify(shortPlace(place), 14) << "  " << lineText(place) << "\n";
    label = "";
  }
}

void Printer::printList(llvm::StringRef label, llvm::ArrayRef<std::string> lines) {
  for (const std::string &line : lines) {
    begin(label) << line << "\n";
    label = "";
  }
}

/// Prints the costs of a vertex and of an edge, and what limits the step.
void Printer::printCost(const StepReport &step) {
  if (step.kind == "sweep") {
    begin("an edge") << step.edgeBytes() << " B: index 4";
    if (!step.gathers.empty())
      os << "; gathers " << listed(step.gathers);
    if (!step.edgeReads.empty())
      os << "; reads " << listed(step.edgeReads);
    if (!step.edgeWrites.empty())
      os << "; writes " << listed(step.edgeWrites);
    os << "; " << plural(step.edgeFlops, "flop") << "\n";
  }
  if (step.over != "parameters") {
    begin("a vertex") << step.vertexBytes() << " B: ";
    if (!step.vertexReads.empty())
      os << "reads " << listed(step.vertexReads) << "; ";
    if (!step.vertexWrites.empty())
      os << "writes " << listed(step.vertexWrites) << "; ";
    os << plural(step.vertexFlops, "flop") << "\n";
  }
  int64_t bytes = step.kind == "sweep" ? step.edgeBytes() : step.vertexBytes();
  if (step.over == "parameters" || bytes == 0)
    return;
  constexpr double bandwidth = 100e9; // bytes a second: a server's memory
  begin("bound") << step.bound() << ": " << llvm::format("%.2g", step.intensity()) << " flops a byte";
  if (step.bound() == "memory")
    os << llvm::format("; at 100 GB/s %.3g million ", bandwidth / bytes / 1e6)
       << (step.kind == "sweep" ? "edges" : "vertices") << " a second";
  os << "\n";
}

void Printer::print(const StepReport &step) {
  os << llvm::formatv("{0,3}  {1}{2} over {3}", step.number, step.kind, step.kernel.empty() ? "" : " " + step.kernel,
                      step.over)
     << (step.backward ? ", backward" : "");
  if (step.place.line)
    os << "  (" << shortPlace(step.place) << ")";
  os << "\n";
  if (auto [known, isNew] = explained.try_emplace(step.kernel, "step " + std::to_string(step.number));
      !step.kernel.empty() && !isNew)
    begin("same as") << known->second << "\n";
  else
    printWork(step);
  printList("keeps", llvm::map_to_vector(step.keeps, [](const KeptField &keep) {
              return keep.field.name + ", " + std::to_string(keep.field.bytes) + " B, " + keep.form + ": " +
                     keep.reason;
            }));
  printList("ends", step.stops);
}

/// Prints the computations of a step and their costs.
void Printer::printWork(const StepReport &step) {
  printLines("per edge", step.perEdge);
  printLines(step.kind == "product" ? "computes" : "per vertex", step.perVertex);
  if (step.softmaxSums)
    begin("softmax") << "one pass: largest score, sum of weights and " << plural(step.softmaxSums, "weighted sum")
                     << " at once\n";
  else if (step.reductions > 1)
    begin("one pass") << plural(step.reductions, "aggregation") << " over the same edges\n";
  if (!step.schedule.empty()) {
    begin("schedule");
    llvm::interleaveComma(step.schedule, os, [&](const auto &knob) { os << knob.first << " " << knob.second; });
    os << "\n";
  }
  if (step.ofBf16)
    begin("multiplies") << "numbers that are rounded to bf16; sums are f32\n";
  if (step.threads)
    begin("threads") << plural(step.threads, "thread") << " of a device to a vertex\n";
  printCost(step);
  printLines("again", step.recomputes);
}

/// How often each relation's edges are read.
void Printer::printPasses(const ProgramReport &program) {
  struct Passes {
    unsigned forward = 0, backward = 0;
    int64_t gathered = 0;
  };
  std::map<std::string, Passes> relations;
  for (const StepReport &step : program.steps)
    if (step.kind == "sweep") {
      Passes &passes = relations[llvm::StringRef(step.over).split(" to ").first.str()];
      ++(step.backward ? passes.backward : passes.forward);
      passes.gathered += sum(step.gathers);
    }
  for (const auto &[name, passes] : relations) {
    os << "     edges of " << name << ": " << plural(passes.forward, "pass", "es") << " forward";
    if (passes.backward)
      os << ", " << passes.backward << " backward";
    os << ", which gather " << passes.gathered << " B an edge\n";
  }
}

void Printer::printTensors(const ProgramReport &program) {
  int64_t vertices = 0;
  os << "\n     " << llvm::left_justify("tensors of vertices", 51) << "bytes  steps   role\n";
  for (const TensorReport &tensor : program.tensors) {
    if (!tensor.ofVertices)
      continue;
    vertices += tensor.field.bytes;
    std::string steps = std::to_string(tensor.from) + "-" + std::to_string(tensor.until);
    os << "       " << llvm::left_justify(tensor.field.name, 27) << " " << llvm::left_justify(tensor.field.type, 20)
       << llvm::right_justify(std::to_string(tensor.field.bytes), 6) << "  " << llvm::left_justify(steps, 6) << "  "
       << tensor.role << "\n";
  }
  os << "     in all " << vertices << " B a vertex, and on edges " << sum(program.edgeTensors) << " B";
  if (!program.edgeTensors.empty())
    os << " (" << listed(program.edgeTensors) << ")";
  os << "\n";
  if (!program.messagePassing.empty()) {
    os << "     Frameworks that pass messages, such as PyG, store " << sum(program.messagePassing)
       << " B an edge in the forward pass:\n";
    for (const SizedField &field : program.messagePassing)
      os << "       " << field.name << ": " << field.type << ", " << field.bytes << " B\n";
  }
}

void Printer::print(const ProgramReport &program) {
  os << "\n" << program.name << "\n";
  printPasses(program);
  for (const StepReport &step : program.steps) {
    os << "\n";
    print(step);
  }
  for (auto &[kernel, place] : explained)
    if (place.find(" of ") == std::string::npos)
      place += " of " + program.name;
  printTensors(program);
}

void Printer::print(const Report &report) {
  os << report.model;
  for (auto [index, dimension] : llvm::enumerate(report.dimensions))
    os << (index ? ", " : ", for ") << dimension.first << " = " << dimension.second;
  os << "\n";
  for (const ProgramReport &program : report.programs)
    print(program);
  if (report.variants.empty())
    return;
  os << "\nprograms with other orders of sums and products, or forms of an input, of which the runtime chooses by "
        "counts\n";
  for (const std::string &variant : report.variants)
    os << "     " << variant << "\n";
}

void gnnc::printReport(const Report &report, const LineText &lineText, llvm::raw_ostream &os) {
  Printer(lineText, os).print(report);
}
