//===- Interpreter.h - The oracle: checked models in float64 ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates and differentiates a `CheckedModel` vertex by vertex and edge by edge in float64 with plain loops. It is
// the reference that every kernel, pass and executor is compared with, so it shares nothing with the compiler but the
// front end and is written to be read, not to be fast.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_INTERPRETER_INTERPRETER_H
#define GNNC_INTERPRETER_INTERPRETER_H

#include "compiler/Frontend/CheckedModel.h"
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gnnc {

/// The edges of one relation in original order: edge `i` goes from `src[i]` to `dst[i]`, and has the id `idOf(i)`. For
/// the incidence relation of a sparse input `src` holds columns and `dst` vertices.
struct OracleGraph {
  std::vector<int64_t> src, dst;
  std::vector<int64_t> types; // of a typed relation: one for each edge
  int64_t numTypes = 0;       // of a typed relation
  std::vector<int64_t> addedFrom; // for each of the last edges, which transforms added: whose mirror it is; -1: a loop
  std::vector<int64_t> ids;       // where edges were left out: those of the others, which rise; else empty
  int64_t allIds = 0;             // where edges were left out: how many ids there are

  bool leavesOutEdges() const { return allIds > 0; }
  int64_t idOf(int64_t edge) const { return leavesOutEdges() ? ids[size_t(edge)] : edge; }
  /// Edges, those that were left out too.
  int64_t numIds() const { return leavesOutEdges() ? allIds : int64_t(src.size()); }
  /// The same without edges that transforms added.
  int64_t numGiven() const { return numIds() - int64_t(addedFrom.size()); }
};

/// Transforms edges as `graph { symmetric, inverse_relations, no_loops, one_loop, self_loops }` asks, in this order:
/// after the edges, for each pair (u, v) without (v, u) one reverse edge, in the order of the first edges they mirror
/// and of their types; then one reverse edge for each edge so far, of its type + `numTypes`, which doubles; then, for
/// `one_loop`, all loops of a vertex but the last are left out; then each of `numVertices` vertices without a loop gets
/// one, in vertex order and of no type (-1). Kinds of loops take the place of the last three: no loop is left out,
/// those that are missing are added, and all types are of EdgeKind. `graph` is as given, with types where inverse
/// relations are asked for.
OracleGraph transformGraph(OracleGraph graph, int64_t numVertices, const GraphTransforms &transforms);

/// A table over the given edges, `rowSize` numbers each, extended to those that were added: a mirrored edge has the row
/// of its original, a loop ones. Rows of edges that were left out are not there.
std::vector<double> extendEdges(const OracleGraph &graph, std::vector<double> table, int64_t rowSize);

/// Everything that the source leaves open. Arrays are row-major and have a leading extent of vertices or edges where
/// the value has one.
struct OracleBindings {
  std::map<std::string, int64_t> dims;               // beats -D and defaults
  std::vector<int64_t> numVertices;                  // of each vertex type; that of columns is not read
  std::vector<OracleGraph> relations;                // one for each relation of the model, already transformed
  std::map<std::string, std::vector<double>> params; // and states
  std::map<std::string, std::vector<double>>
      inputs;               // and targets; a sparse input: one value for each nonzero, not yet row-normalised
  std::vector<double> mask; // weight in the loss of each vertex, or edge, that has one; empty: 1
  /// Which edges aggregations to an end go over, where a sample is computed with; null: all. Degrees count all.
  std::function<bool(unsigned relation, End end, int64_t edge)> isSeen = nullptr;
  /// The vertices that a total goes over where a sample is computed with, by the total's index among the model's
  /// values. Other totals go over all.
  std::map<unsigned, std::vector<int64_t>> totalVertices{};
  bool training = false; // what `training` is; otherwise dropout masks are 1
  uint64_t seed = 0, step = 0;
  /// Relative error that every real number gets which is computed with, of a sign drawn from `roundingSeed`: how far
  /// results move tells how much of them is rounding (stochastic arithmetic, Vignes 1993). The error of a sum is
  /// relative to the sum of the magnitudes of its terms, so that it does not vanish where they cancel. 0: no error but
  /// the doubles' own.
  double rounding = 0;
  uint64_t roundingSeed = 0;
  /// Equal numbers of a field get equal errors, so that ties stay ties. Compiled code may compute one number twice and
  /// round it otherwise the second time, as with a score that is found again after the largest was.
  bool roundsTiesAlike = true;
};

/// Empty if every dimension, relation, parameter and input that the model reads is bound with the right size and every
/// vertex id is in range; else a sentence that says what is wrong. Everything below requires bindings that pass.
/// Targets are asked for only if `withTargets`.
std::string checkBindings(const CheckedModel &model, const OracleBindings &bindings, bool withTargets = true);

/// The numbers of one value: `rows` rows (1 for P, else vertices or edges) of `shape`, row-major.
struct OracleField {
  GraphKind kind = GraphKind::P;
  int64_t rows = 1;
  std::vector<int64_t> shape;
  std::vector<double> data;

  int64_t rowSize() const;
  /// The row that vertex or edge `index` sees: P fields have one for all.
  double *row(int64_t index) { return data.data() + (kind == GraphKind::P ? 0 : index * rowSize()); }
  const double *row(int64_t index) const { return const_cast<OracleField *>(this)->row(index); }
};

/// One field for each of the model's values. Values that need a target which is not bound, and so every loss, are left
/// empty.
using OracleValues = std::vector<OracleField>;

/// With `stopped`, what no gradient passes through stays as it is there: so differences see what gradients see.
OracleValues evaluate(const CheckedModel &model, const OracleBindings &bindings, const OracleValues *stopped = nullptr);

/// The field of output `name`, or null.
const OracleField *findOutput(const CheckedModel &model, const OracleValues &values, llvm::StringRef name);

/// Weight in the loss of each of its rows: the mask, or 1; 0 for edges that a transform left out.
std::vector<double> lossWeights(const CheckedModel &model, const OracleBindings &bindings, const OracleValues &values);

/// sum(weight * loss) / sum(weight); 0 if the weights are 0 everywhere. Requires `model.loss >= 0`.
double maskedLoss(const CheckedModel &model, const OracleBindings &bindings, const OracleValues &values);

/// A gradient for each parameter and each real input that is not a target, by name, shaped as what is bound (after row
/// normalisation).
using OracleGradients = std::map<std::string, std::vector<double>>;

/// Gradients of `maskedLoss` by reverse mode. `max` and `min` send theirs to the first arg in canonical order: within a
/// row by the vertex at the other end, then by edge id; elementwise `maximum(a, b)` and `minimum(a, b)` to `a` on ties.
/// Totals send theirs to the first vertex. Nothing passes through an empty aggregation.
OracleGradients differentiateLoss(const CheckedModel &model, const OracleBindings &bindings,
                                  const OracleValues &values);

/// Gradients of sum(values[value] * weights), elementwise over all rows.
OracleGradients differentiateValue(const CheckedModel &model, const OracleBindings &bindings,
                                   const OracleValues &values, unsigned value, const std::vector<double> &weights);

/// Where the model is not smooth: `maximum`, `minimum`, `abs`, comparisons of reals, and `max` and `min` over a
/// dimension, over edges or over vertices.
struct KinkReport {
  double margin; // smallest nonzero distance to a kink, relative to max(1, what is compared); infinity if there is none
  int64_t ties = 0;       // kinks met exactly
  uint64_t decisions = 0; // hash of the side taken at every kink: differs if some decision differs
  std::vector<double> distances; // signed difference of what each decision compares; as many if the decisions are equal
  /// The share, from 0 to 1, that each score has in its softmax: the gradients of logsumexp and cross entropy have one.
  /// Rows of a cross entropy without weight are left out.
  std::vector<double> shares;
  std::vector<double> angles; // radians, the arguments of periodic functions
};

KinkReport findKinks(const CheckedModel &model, const OracleBindings &bindings, const OracleValues &values);

/// Reverse mode against central differences for one parameter or input.
struct GradientCheck {
  std::string name;
  int64_t entries = 0; // compared
  int64_t skipped = 0; // a kink lies within the difference
  double maxError = 0; // |difference quotient - gradient| / max(|either|, 1e-2 * largest gradient of this array, 1e-5)
};

/// Checks gradients of the loss, or of the sum of all outputs where there is none, for at most `entriesPerArray`
/// entries of each parameter (and real input if `withInputs`), evenly spread. `epsilon` is relative to max(1, |entry|).
/// Differences hold what `stop_gradient` is of.
std::vector<GradientCheck> checkGradients(const CheckedModel &model, OracleBindings bindings,
                                          int64_t entriesPerArray = 16, bool withInputs = false, double epsilon = 1e-5);

} // namespace gnnc

#endif // GNNC_INTERPRETER_INTERPRETER_H
