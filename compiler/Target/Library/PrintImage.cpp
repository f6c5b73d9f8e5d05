//===- PrintImage.cpp - Tables of a library as text -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Library/PrintImage.h"
#include "llvm/ADT/STLExtras.h"

using namespace gnnc;

static const char *const roleNames[] = {"temporary",  "parameter", "state",      "input",    "target",   "mask",
                                        "scale",      "in_degree", "out_degree", "output",   "gradient", "weights",
                                        "next state", "count_in",  "count_out",  "cotangent"};
static_assert(std::size(roleNames) == GNN_ROLE_COTANGENT + 1, "every role has a name");
static const char *const elementNames[] = {"f32", "f64", "i32", "i64", "bool", "bits", "bf16", "f16"};
static const char *const stepNames[] = {"sweep", "map", "matmul", "matmul_tn"};

static void printTensor(const LibraryImage &image, const TensorImage &tensor, llvm::raw_ostream &os) {
  os << "  " << tensor.name << ": " << roleNames[tensor.role] << " ";
  if (tensor.domain == GNN_DOMAIN_VERTEX)
    os << "of " << image.vertexTypes[tensor.type].name << " ";
  else if (tensor.domain == GNN_DOMAIN_EDGE)
    os << "of " << image.relations[tensor.type].name << " ";
  os << "[";
  llvm::interleaveComma(tensor.shape, os, [&](uint32_t extent) { os << image.extents[extent].str(); });
  os << "] " << elementNames[tensor.element] << "\n";
}

/// Those that are chosen.
static void printKnobs(const gnn_knobs_t &knobs, llvm::raw_ostream &os) {
  if (knobs.split)
    os << " split " << knobs.split;
  if (knobs.partition)
    os << " partition " << knobs.partition;
  if (knobs.pass)
    os << " pass " << knobs.pass;
  if (knobs.hilbert)
    os << " hilbert " << knobs.hilbert;
}

static void printKernel(const LibraryImage &image, const KernelImage &kernel, llvm::raw_ostream &os) {
  static const std::pair<uint32_t, const char *> needs[] = {{GNN_KERNEL_ROW_ID, "row_id"},
                                                            {GNN_KERNEL_COL_ID, "col_id"},
                                                            {GNN_KERNEL_EDGE_ID, "edge_id"},
                                                            {GNN_KERNEL_EDGE_TYPE, "edge_type"},
                                                            {GNN_KERNEL_RANDOM, "random"}};
  os << "  " << kernel.name << ": scratch " << image.extents[kernel.scratchBytes].str() << " state "
     << image.extents[kernel.stateBytes].str();
  if (kernel.passes >= 0)
    os << " passes " << image.extents[size_t(kernel.passes)].str();
  printKnobs(kernel.knobs, os);
  for (auto [bit, name] : needs)
    if (kernel.needs & bit)
      os << " " << name;
  for (uint32_t fold : kernel.totalFolds)
    os << (fold == GNN_FOLD_MAX ? " max" : fold == GNN_FOLD_MIN ? " min" : " sum");
  os << "\n";
}

static void printTuning(const LibraryImage &image, const TuningImage &tuning, llvm::raw_ostream &os) {
  os << "for graphs like " << tuning.vertices << " vertices, " << tuning.edges << " edges, at most " << tuning.longest
     << " of a row, on " << tuning.threads << " threads\n";
  for (auto [kernel, knobs] : llvm::zip_equal(image.kernels, tuning.knobs)) {
    if (!knobs.split && !knobs.partition && !knobs.pass && !knobs.hilbert)
      continue;
    os << "  " << kernel.name << ":";
    printKnobs(knobs, os);
    os << "\n";
  }
}

/// ` rows at 1`, or ` all rows` of a table that has no depth.
static void printDepth(int32_t depth, llvm::StringRef what, llvm::raw_ostream &os) {
  depth < 0 ? os << " all" << what.rtrim() : os << what << "at " << depth;
}

static void printStep(const LibraryImage &image, unsigned index, const StepImage &step, llvm::raw_ostream &os) {
  os << "  " << index << (step.phase == GNN_PHASE_BACKWARD ? " backward " : " ") << stepNames[step.kind];
  unsigned numInputs = 2;
  if (step.kind == GNN_STEP_SWEEP || step.kind == GNN_STEP_MAP) {
    os << " " << image.kernels[step.kernel].name;
    numInputs = image.kernels[step.kernel].numInputs;
  }
  if (step.layer >= 0)
    os << " of layer " << step.layer;
  if (step.kind == GNN_STEP_SWEEP)
    os << " over " << image.relations[step.relation].name
       << (step.direction == GNN_TO_DESTINATION ? " to destination" : " to source");
  else
    os << " over " << image.vertexTypes[step.vertexType].name;
  if (step.flags & GNN_MATMUL_TRANSPOSE_B)
    os << " transposed";
  if (step.flags & GNN_MATMUL_BF16)
    os << " of bf16";
  printDepth(step.rowDepth, " rows ", os);
  if (step.kind == GNN_STEP_SWEEP)
    printDepth(step.colDepth, " cols ", os);
  os << ":";
  for (auto [position, tensor] : llvm::enumerate(step.tensors))
    os << (position == numInputs ? " -> " : " ") << image.tensors[tensor].name;
  os << "\n";
}

/// `%3: row col at 1, from step 1, until step 9, kept`; what is bound has no first step, and results stay.
static void printUse(const LibraryImage &image, const ProgramImage &program, const gnn_use_t &use,
                     llvm::raw_ostream &os) {
  static const char *const accessNames[] = {"row", "col", "edge", "whole"};
  os << "    " << image.tensors[use.tensor].name << ":";
  for (auto [access, name] : llvm::enumerate(accessNames))
    if (use.accesses >> access & 1)
      os << " " << name;
  if (use.depth >= 0)
    os << " at " << use.depth;
  if (use.first >= 0)
    os << ", from step " << use.first;
  if (use.last < int32_t(program.steps.size()))
    os << ", until step " << use.last;
  os << (use.is_kept ? ", kept\n" : "\n");
}

void gnnc::printImage(const LibraryImage &image, llvm::raw_ostream &os) {
  os << "tensors\n";
  for (const TensorImage &tensor : image.tensors)
    printTensor(image, tensor, os);
  os << "kernels\n";
  for (const KernelImage &kernel : image.kernels)
    printKernel(image, kernel, os);
  for (const TuningImage &tuning : image.tunings)
    printTuning(image, tuning, os);
  for (const ProgramImage &program : image.programs) {
    os << "program " << program.name << "\n";
    for (auto [index, step] : llvm::enumerate(program.steps))
      printStep(image, index, step, os);
    os << "  results:";
    for (uint32_t result : program.results)
      os << " " << image.tensors[result].name;
    os << "\n  tensors\n";
    for (const gnn_use_t &use : program.uses)
      printUse(image, program, use, os);
  }
}
