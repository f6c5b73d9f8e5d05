//===- CheckedModel.h - A model after semantic analysis ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result of semantic analysis: one model as a list of typed values, each defined once, operands before their uses.
// Layers and functions are inlined, `repeat` is unrolled, versions of fields are resolved, broadcasts and reads of
// neighbours are explicit, graph types are inferred. The reference interpreter evaluates this list; MLIRGen turns each
// entry into one `gnn` op. Neither can fail on it.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_CHECKEDMODEL_H
#define GNNC_FRONTEND_CHECKEDMODEL_H

#include "dialects/Support/DimExpr.h"
#include "dialects/Support/Schedule.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SMLoc.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <string>
#include <vector>

namespace gnnc {

/// Seastar's graph types (section 5.1), with V for a field of vertices that is not (yet) read over an edge.
///   P  parameter or constant: one value for the whole graph
///   V  one value for every vertex of type `type`
///   S  V read at the source end of every edge of relation `type`
///   D  V read at the destination end of every edge of relation `type`
///   E  one value for every edge of relation `type`
/// An elementwise operation joins its operands: P with X is X; S with S is S; D with D is D; S with D, and E with S or
/// D, is E. V joins with P and V.
enum class GraphKind { P, V, S, D, E };

enum class ElementKind { Real, F32, F64, I32, I64, Bool };

using Shape = std::vector<DimExpr>;

struct ValueType {
  GraphKind kind = GraphKind::P;
  unsigned type = 0; // vertex type (V) or relation (S, D, E)
  Shape shape;
  ElementKind element = ElementKind::Real;
};

enum class ValueKind {
  Input,     // name; V or E
  Target,    // name; V
  Param,     // name; P
  State,     // name; P
  Constant,  // number
  Training,  // P [] Bool: true in the training program, false elsewhere
  InDegree,  // V [] of the relation's destination type, in the whole transformed graph; relation. V [types]: one for
             // each edge type of the relation
  OutDegree, // the same of the relation's source type; relation
  EdgeType,  // E [] I32, in [0, types) of the relation; relation
  VertexId,  // V [] I64: the vertex's number in the graph that was given
  Rows, // P [n, rest...] -> V [rest...] of the vertex type whose rows are n: the rows of a parameter as a table (weight
        // of a sparse input, parameter of vertices)
  DropoutMask, // no operands; site, probability: 1/(1-p) where kept, else 0. V or E; for E of a sparse input keyed by
               // (vertex, column)
  // One operand, elementwise.
  Neg,
#define UNARY(KIND, NAME, USAGE, DOC) KIND,
#include "compiler/Frontend/Functions.def"
  Not,
  Cast, // to the type's element kind
  // Two operands of equal shape, elementwise; joins graph kinds.
  Add,
  Sub,
  Mul,
  Div,
#define BINARY(KIND, NAME, OPERANDS, CONSTANT, USAGE, DOC) KIND,
#include "compiler/Frontend/Functions.def"
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  And,
  Or,
  Select,       // condition, then, else
  StopGradient, // one operand; passes no gradient
  // Shape.
  Broadcast, // operand's dims are a subsequence of the result's; `dims[i]`: the result position of operand dimension i
  Reduce,    // `reduction` over the operand's dimension `dims[0]`
  MatMul,    // [a..., k] @ P [k, b...] -> [a..., b...]
  Reshape,   // same elements in row-major order
  Concat,    // along dimension dims[0]
  Pad,       // zeros after the last dimension up to the result's
  Slice,     // a run of elements of dimension dims[0], from `offset` on
  Transpose, // dimension i of the result is dimension dims[i] of the operand
  // Indexing; joins graph kinds. An index i outside of 0 <= i < n gives zeros, and passes no gradient.
  Index,       // table [n, rest...] of any kind, index I32 or I64 [] -> [rest...]
  TypedMatMul, // x [a..., k], P [n, k, b...], index I32 or I64 [] -> x @ W[i]: [a..., b...]
  // Graph.
  ReadSource,      // V -> S of `relation`
  ReadDestination, // V -> D of `relation`
  Aggregate, // operands: edge field (S, D or E; Count does not look at it) and, if `filtered`, a Bool edge field; -> V
             // of the end that `toward` names. `byType`: a row for each edge type of the relation, [types, rest...]
  Softmax,   // the same operands; E -> E, over the edges that share the end `toward`; zero where the filter is false
  Total,     // V -> P over all vertices of the type: `reduction` Sum, Mean, Max or Min; over no vertices 0
  // Losses: one number for every vertex, or E for every edge (of pairs).
  CrossEntropy,       // logits [classes], target I32/I64 [] -> []
  BinaryCrossEntropy, // logits [...], target Real of the same shape -> [], mean over the elements
  MeanSquaredError,   // prediction, target of the same shape -> [], mean over the elements
};

/// Over nothing Prod is 1, every other one 0 (and it passes no gradient).
enum class Reduction { Sum, Mean, Max, Min, Count, LogSumExp, Prod, Var };
enum class End { Destination, Source };

/// Which loops are among the edges that something is about.
enum class Loops {
  Given, // those of the data, and those that `self_loops` adds
  One,   // of the loops of the data at a vertex the last, or one that is added
  None,
};

/// The type of an edge where a relation has the edges of several `Loops`, numbered as GNN_EDGE_* of
/// gnn/program.h.
enum class EdgeKind { NoLoop, LastLoop, EarlierLoop, AddedLoop };
constexpr int64_t numEdgeKinds = 4;

/// One value. `name` is what the source calls it (for printing and for `NameLoc`); `range` is where it is written;
/// `place` the field or layer that it is computed for, as ScheduleRequest names them.
struct Value {
  ValueKind kind;
  ValueType type;
  std::vector<unsigned> operands; // indices into CheckedModel::values, all smaller than this value's
  std::string name;
  llvm::SMRange range;
  std::string place = {};
  double number = 0;                    // Constant; DropoutMask: probability
  uint64_t site = 0;                    // DropoutMask
  std::vector<unsigned> dims = {};      // Broadcast, Reduce, Concat, Slice, Transpose
  DimExpr offset = {};                  // Slice
  Reduction reduction = Reduction::Sum; // Reduce, Total (neither Count nor Var), Aggregate
  unsigned relation = 0;         // ReadSource, ReadDestination, Aggregate, Softmax, InDegree, OutDegree, EdgeType
  End toward = End::Destination; // Aggregate, Softmax
  bool filtered = false;         // Aggregate, Softmax
  bool byType = false;           // Aggregate
  Loops loops = Loops::Given;    // Aggregate, Softmax, InDegree, OutDegree; of edges that the relation has all
  unsigned hops = 0;             // aggregations over graph relations on the longest path from an input to this value
};

enum class Initializer { Zeros, Ones, GlorotUniform, GlorotNormal, KaimingUniform, Uniform, Normal, Constant };

struct Parameter {
  std::string name; // `conv1.W`
  Shape shape;
  Initializer init = Initializer::GlorotUniform;
  double initArgument = 0;
  DimExpr fanIn, fanOut; // see setFans
  bool isState = false;
  std::string doc;
  llvm::SMRange range;

  /// From the shape of a weight: the first dimension, and the product of the others. Of vectors 1 and the size.
  void setFans(llvm::ArrayRef<DimExpr> weight) {
    fanIn = weight.size() < 2 ? DimExpr(1) : weight.front();
    fanOut = DimExpr(1);
    for (const DimExpr &dim : weight.drop_front(weight.size() < 2 ? 0 : 1))
      fanOut = fanOut.mul(dim).value_or(DimExpr(1));
  }
};

struct Input {
  std::string name;
  ValueType type;
  bool isTarget = false;
  bool sparse =
      false; // then `relation` is its incidence relation columns -> vertices, and its value is E [] of that relation
  bool rowNormalized = false; // divided by the row's sum when bound
  unsigned relation = 0;
  std::string doc;
};

struct Dimension {
  std::string name;
  int64_t fixed = -1;    // given by -D
  int64_t fallback = -1; // default in the source
  std::string doc;
  int vertexType = -1; // bound by the graph: the number of its vertices of this type; else -1
};

struct VertexType {
  std::string name;
  bool isColumns = false; // of a sparse input
  DimExpr rows; // how many there are; of a type of the graph a dimension `num_<name>`, and 0 if the model does not ask
};

/// Edges that a model asks for beside those of the data, or leaves out, in this order.
struct GraphTransforms {
  bool symmetric = false;        // the reverse edges that are missing, of the type of the edge that they mirror
  bool inverseRelations = false; // for each edge of type r of T one against it, of type r + T
  bool selfLoops = false;        // the loops that are missing, of no type (-1)
  bool oneLoop = false;          // before that: of the loops of a vertex the last alone
  bool marksLoops = false;       // edges without types get the type 0, so that added loops differ from them
  bool noLoops = false;          // all loops are left out
  bool loopKinds =
      false; // instead of the four before: the loops that are missing, and an EdgeKind as the type of each edge

  bool addsLoops() const { return selfLoops || oneLoop; }
};

struct Relation {
  std::string name;
  unsigned sourceType = 0, destinationType = 0;
  bool isSparseInput = false;
  GraphTransforms transforms;
  bool isPairs = false; // no edges of the graph: pairs of vertices that are scored, bound by themselves
  bool isTyped = false; // the model asks for the types of the edges
  DimExpr types;        // how many edge types there are after the transforms; 0 if nothing in the model says so
};

struct Output {
  std::string name;
  unsigned value;
  std::string doc;
};

/// `mean = 0.9 * mean + 0.1 * m`: what a state is after a training step.
struct StateUpdate {
  unsigned state; // index into params
  unsigned value; // P, of the state's shape
};

/// Training defaults that the source states; -1 and empty: not stated.
struct TrainingDefaults {
  std::string optimizer = "adam"; // sgd, adam, adamw
  double learningRate = 0.01;
  double weightDecay = 0;
  std::vector<std::string> decayedLayers; // empty: all parameters
  int64_t epochs = 200;
  int64_t patience = -1;
};

struct CheckedModel {
  std::string name;
  std::string doc;
  std::vector<Dimension> dims;
  std::vector<VertexType> vertexTypes; // 0: the vertices, or the first type of the schema
  std::vector<Relation> relations;     // 0: the edges, or the first relation of the schema
  std::vector<Parameter> params;
  std::vector<Input> inputs;
  std::vector<Value> values;
  std::vector<Output> outputs;
  std::vector<StateUpdate> stateUpdates;
  int loss = -1;        // value: V [] per vertex or E [] per pair, or -1
  std::string lossKind; // "cross_entropy", "binary_cross_entropy", "mean_squared_error"
  int lossOutput = -1;  // index into outputs of what the loss is of, if it is one
  TrainingDefaults training;
  std::vector<ScheduleRequest> schedule; // later ones prevail

  /// One line a value: `%7 : V [hidden] = mul %3, %5`.
  void print(llvm::raw_ostream &os) const;
};

/// A model with one of its inputs as a table of vertices, and as the nonzeros of that table. Both have the same vertex
/// types, relations and parameters, and draw the same random numbers for the same elements.
struct InputForms {
  unsigned input; // index
  CheckedModel dense, sparse;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_CHECKEDMODEL_H
