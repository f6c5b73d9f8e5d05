//===- Steps.h - A typed view of a program's steps --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps and their operands as values over the tables of a compiled library, which must outlive them:
//
//   for (const ProgramStep step : library.steps(program))
//     for (const Operand operand : step.inputs())
//       if (operand.isPerCol()) ...
//
//===----------------------------------------------------------------------===//

#ifndef GNN_PROGRAM_STEPS_H
#define GNN_PROGRAM_STEPS_H

#include "gnn/program.h"
#include "runtime/src/core/Span.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gnn::rt {

/// A tensor of a step, and how the step reads or writes its rows.
struct Operand {
  uint32_t index;  // among the step's operands
  uint32_t tensor; // of the library
  uint32_t access; // GNN_ACCESS_*
  bool isOutput;

  bool isPerRow() const { return access == GNN_ACCESS_ROW; }
  bool isPerCol() const { return access == GNN_ACCESS_COL; }
  bool isPerEdge() const { return access == GNN_ACCESS_EDGE; }
  bool isWhole() const { return access == GNN_ACCESS_WHOLE; }
  /// True if a sweep over chunks of edges has the part of a chunk: of its cols or of its edges.
  bool isInChunks() const { return isPerCol() || isPerEdge(); }
  /// A sum or extreme over all rows or edges.
  bool isTotal() const { return isOutput && isWhole(); }
};

/// A range of `Of::operator[]`, by value.
template <class Of> class IndexedRange {
public:
  struct iterator {
    using iterator_category = std::input_iterator_tag;
    using value_type = decltype(std::declval<const Of &>()[0]);
    using difference_type = std::ptrdiff_t;
    using pointer = const value_type *;
    using reference = value_type;

    value_type operator*() const { return of[index]; }
    iterator &operator++() { return ++index, *this; }
    iterator operator++(int) { return {of, index++}; }
    bool operator==(const iterator &other) const { return index == other.index; }
    bool operator!=(const iterator &other) const { return index != other.index; }

    Of of;
    uint32_t index;
  };

  IndexedRange(const Of &of, uint32_t first, uint32_t last) : of(of), first(first), last(last) {}

  iterator begin() const { return {of, first}; }
  iterator end() const { return {of, last}; }
  template <class Predicate> bool any(Predicate holds) const { return std::any_of(begin(), end(), holds); }
  template <class Predicate> bool all(Predicate holds) const { return std::all_of(begin(), end(), holds); }

private:
  Of of;
  uint32_t first, last;
};

/// A step of a program of a library.
class ProgramStep {
public:
  ProgramStep(const gnn_library_t &library, const gnn_step_t &step) : library(&library), step(&step) {}

  const gnn_step_t *operator->() const { return step; }
  operator const gnn_step_t &() const { return *step; }

  bool isSweep() const { return step->kind == GNN_STEP_SWEEP; }
  bool isMap() const { return step->kind == GNN_STEP_MAP; }
  /// A product of matrices; rows may be summed over.
  bool isProduct() const { return !isSweep() && !isMap(); }
  bool isSumOfProducts() const { return step->kind == GNN_STEP_MATMUL_TN; }

  /// The kernel of a sweep or map.
  const gnn_kernel_t &kernel() const { return library->kernels[step->kernel]; }
  /// The relation of a sweep.
  const gnn_relation_t &relation() const { return library->relations[step->relation]; }
  /// True for sweeps that make totals over edges.
  bool isSumOfEdges() const { return isSweep() && kernel().num_totals > 0; }
  /// True for sweeps over a relation of this kind, GNN_RELATION_*.
  bool isSweepOver(uint32_t kind) const { return isSweep() && relation().kind == kind; }

  /// True if the kernel of a sweep or map needs this, GNN_KERNEL_*.
  bool needs(uint32_t what) const { return !isProduct() && (kernel().needs & what) != 0; }
  /// The vertex type whose rows the step goes over, and the one of a sweep's cols.
  uint32_t rowType() const { return isSweep() ? endType(step->direction == GNN_TO_DESTINATION) : step->vertex_type; }
  uint32_t colType() const { return isSweep() ? endType(step->direction == GNN_TO_SOURCE) : step->vertex_type; }
  /// The vertex type of an operand that is per row or per col.
  uint32_t typeOf(const Operand &operand) const { return operand.isPerRow() ? rowType() : colType(); }

  Operand operator[](uint32_t operand) const {
    return {operand, step->tensors[operand], access(operand), operand >= firstOutput()};
  }
  IndexedRange<ProgramStep> operands() const { return {*this, 0, step->num_tensors}; }
  IndexedRange<ProgramStep> inputs() const { return {*this, 0, firstOutput()}; }
  IndexedRange<ProgramStep> outputs() const { return {*this, firstOutput(), step->num_tensors}; }
  /// The last output, the only one of most steps.
  Operand output() const { return (*this)[step->num_tensors - 1]; }

  bool reads(uint32_t tensor) const { return has(inputs(), tensor); }
  bool makes(uint32_t tensor) const { return has(outputs(), tensor); }
  bool uses(uint32_t tensor) const { return has(operands(), tensor); }

  bool hasPerEdge() const {
    return operands().any([](const Operand &operand) { return operand.isPerEdge(); });
  }
  /// True if a sweep reads ids of edges, or rows of tables that are found by them.
  bool needsEdgeIds() const { return needs(GNN_KERNEL_EDGE_ID) || hasPerEdge(); }

private:
  uint32_t endType(bool isDestination) const {
    return isDestination ? relation().destination_type : relation().source_type;
  }
  static bool has(const IndexedRange<ProgramStep> &operands, uint32_t tensor) {
    return operands.any([=](const Operand &operand) { return operand.tensor == tensor; });
  }
  uint32_t firstOutput() const { return isProduct() ? 2 : kernel().num_inputs; }
  uint32_t access(uint32_t operand) const {
    return !isProduct()                               ? kernel().access[operand]
           : operand == (isSumOfProducts() ? 2u : 1u) ? uint32_t(GNN_ACCESS_WHOLE)
                                                      : uint32_t(GNN_ACCESS_ROW);
  }

  const gnn_library_t *library;
  const gnn_step_t *step;
};

/// The steps of a program, in order.
class ProgramSteps {
public:
  ProgramSteps(const gnn_library_t &library, const gnn_program_t &program) : library(&library), program(&program) {}

  uint32_t size() const { return program->num_steps; }
  ProgramStep operator[](uint32_t s) const { return {*library, program->steps[s]}; }
  auto begin() const { return all().begin(); }
  auto end() const { return all().end(); }
  template <class Predicate> bool any(Predicate holds) const { return all().any(holds); }

private:
  IndexedRange<ProgramSteps> all() const { return {*this, 0, size()}; }

  const gnn_library_t *library;
  const gnn_program_t *program;
};

/// The uses of tensors by the steps of a program, and the tensors that the program computes for its caller.
inline Span<const gnn_use_t> usesIn(const gnn_program_t &program) { return {program.uses, program.num_uses}; }
inline Span<const uint32_t> resultsIn(const gnn_program_t &program) { return {program.results, program.num_results}; }
inline bool isResult(const gnn_program_t &program, uint32_t tensor) {
  const Span<const uint32_t> results = resultsIn(program);
  return std::find(results.begin(), results.end(), tensor) != results.end();
}

/// Whether the cols of a sweep are those who read its rows: gradients go back.
bool isBack(const gnn_step_t &sweep);

/// The direction in which values came over the edges of a sweep.
uint32_t directionOf(const gnn_step_t &sweep);

} // namespace gnn::rt

#endif // GNN_PROGRAM_STEPS_H
