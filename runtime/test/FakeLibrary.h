//===- FakeLibrary.h - A compiled library written by hand -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler would emit for a small model, with kernels in plain C++ that follow the contract of gnn/program.h,
// so that executors and training are tested without the compiler. The model, over in-edges, with dropout p on edges in
// training:
//
//   z = x W,  y[v] = sum(mask(e) z[u] for e: u -> v) / in_degree + b,  loss[v] = cross entropy of y[v] and label[v]
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_FAKELIBRARY_H
#define GNN_TEST_FAKELIBRARY_H

#include "gnn/program.h"

#include <vector>

/// Owns the tables, which a test may change before it opens them.
struct FakeLibrary {
  static constexpr double dropout = 0.25;
  enum Tensor {
    X,
    Label,
    Mask,
    Scale,
    Degree,
    W,
    B,
    Z,
    Y,
    Loss,
    Correct,
    DropZ,
    DY,
    DZ,
    LossTotal,
    GradW,
    GradB,
    NumTensors
  };
  enum Extent { In, Classes, One, InClasses, StateBytes, TotalBytes, Zero, ClassesTimes4, NumExtents };
  enum Kernel { Aggregate, AggregateDropped, LossGrad, AggregateBack, Evaluate, NumKernels };

  FakeLibrary();
  /// Brings what programs say of their steps up to these; after a test has changed them.
  void describe();
  FakeLibrary(const FakeLibrary &) = delete;
  FakeLibrary &operator=(const FakeLibrary &) = delete;

  gnn_library_t library{};
  std::vector<gnn_dim_t> dims;
  std::vector<gnn_term_t> terms;
  std::vector<gnn_extent_t> extents;
  std::vector<gnn_vertex_type_t> vertexTypes;
  std::vector<gnn_relation_t> relations;
  std::vector<gnn_tensor_info_t> tensors;
  std::vector<gnn_kernel_t> kernels;
  std::vector<gnn_kernel_fn> run, merge;
  std::vector<gnn_isa_t> isas;
  std::vector<gnn_step_t> inferSteps, trainSteps, evaluateSteps;
  std::vector<gnn_program_t> programs;
  std::vector<std::vector<gnn_use_t>> uses; // by program
};

/// The same model where `x` is a sparse input: its products with W are sweeps over the entries.
struct FakeSparseLibrary : FakeLibrary {
  enum SparseKernel { Bag = FakeLibrary::NumKernels, BagBack };

  FakeSparseLibrary();
};

#endif // GNN_TEST_FAKELIBRARY_H
