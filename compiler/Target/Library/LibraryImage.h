//===- LibraryImage.h - What a compiled library will hold -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of runtime/include/gnn/program.h in memory, with strings and vectors instead of pointers and counts. Field
// by field the same, so that program.h is the one place where their meaning is written. `emitTables` turns an image
// into data of the library.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TARGET_LIBRARY_LIBRARYIMAGE_H
#define GNNC_TARGET_LIBRARY_LIBRARYIMAGE_H

#include "dialects/Support/DimExpr.h"
#include "gnn/program.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gnnc {

struct DimImage {
  std::string name;
  int64_t fixed = -1;
  int64_t fallback = -1;
};

struct VertexTypeImage {
  std::string name;
  int32_t rows = -1;
  bool isTable = false;
};

struct RelationImage {
  std::string name;
  uint32_t sourceType = 0, destinationType = 0;
  uint32_t kind = GNN_RELATION_EDGES;
  uint32_t transforms = 0;
  int32_t types = -1;
};

struct TensorImage {
  uint32_t role = GNN_ROLE_TEMP;
  std::string name;
  uint32_t domain = GNN_DOMAIN_VERTEX;
  uint32_t type = 0;
  uint32_t element = GNN_F32;
  std::vector<uint32_t> shape;
  int32_t source = -1;
  uint32_t init = GNN_INIT_ZEROS;
  double initArgument = 0;
  uint32_t fanIn = 0, fanOut = 0;
  uint32_t flags = 0;
};

struct KernelImage {
  uint32_t kind = GNN_KERNEL_SWEEP;
  std::string name;
  uint32_t needs = 0;
  std::vector<uint32_t> access;
  uint32_t numInputs = 0;
  std::vector<uint32_t> totalFolds; // of maps: GNN_FOLD_* of each total
  uint32_t scratchBytes = 0, stateBytes = 0;
  int32_t passes = -1;
  gnn_knobs_t knobs = {};
};

struct StepImage {
  uint32_t kind = GNN_STEP_SWEEP;
  uint32_t kernel = 0, relation = 0, direction = 0, vertexType = 0, flags = 0;
  int32_t rowDepth = 0, colDepth = -1;
  uint32_t phase = GNN_PHASE_FORWARD;
  int32_t layer = -1;
  uint32_t k = 0, n = 0;
  std::vector<uint32_t> tensors;
};

struct ProgramImage {
  uint32_t kind = GNN_PROGRAM_INFER;
  std::string name;
  std::string orders;                        // of sums and products, where several programs of a kind differ in them
  std::map<std::string, std::string> inputs; // "dense" or "sparse", by name: of those that have both forms
  std::vector<StepImage> steps;
  std::vector<uint32_t> results;
  std::vector<gnn_use_t> uses;
};

/// Objects of several instruction sets are linked into one library, so that every symbol ends in a suffix of its
/// instruction set: the code of kernel `k` is `k.v3`, its merge function `k.merge.v3`.
struct IsaImage {
  std::string name;   // x86-64-v3
  std::string suffix; // .v3
};

/// A function of a device; without a name: there is none.
struct DeviceFunctionImage {
  std::string name;
  uint32_t groupThreads = 0, blockThreads = 0;
  uint32_t sharedBytes = 0, scratchBytes = 0, stateBytes = 0; // extents
  uint32_t hotCols = 0;
  std::vector<uint32_t> parameters;
  uint32_t split = 0;
};

struct DeviceCodeImage {
  uint32_t arch = 0;
  bool isPtx = false;
  std::string data;
};

/// The functions of each kernel, and the code objects that have them all.
struct DeviceImage {
  std::vector<DeviceFunctionImage> run, merge;
  std::vector<DeviceCodeImage> code;
};

struct TuningImage {
  int64_t vertices = 0, edges = 0, longest = 0;
  uint32_t threads = 0;
  std::vector<gnn_knobs_t> knobs; // of each kernel
};

struct LibraryImage {
  std::string name;
  std::string symbol = "model_library"; // by which programs link it
  std::string digest;                   // of what the model computes, however it is compiled: 16 hexadecimal digits
  std::string command;                  // of gnnc, without what to write: for who must compile the model again
  std::string manifest;
  uint32_t real = GNN_F32;
  std::vector<DimImage> dims;
  std::vector<DimExpr> extents; // over the names in `dims`
  std::vector<VertexTypeImage> vertexTypes;
  std::vector<RelationImage> relations;
  std::vector<TensorImage> tensors;
  std::vector<KernelImage> kernels;
  std::vector<IsaImage> isas;     // best last
  std::vector<std::string> chips; // devices that there is code for, ascending
  std::optional<DeviceImage> device;
  std::vector<ProgramImage> programs;
  std::vector<TuningImage> tunings;
};

} // namespace gnnc

#endif // GNNC_TARGET_LIBRARY_LIBRARYIMAGE_H
