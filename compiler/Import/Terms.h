//===- Terms.h - Graph neural networks as terms -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The raised program: terms over the parameters, over a vertex or over an edge, in which no index is left. Equal terms
// of one module are one object, and every constructor simplifies, so that programs that compute alike look alike.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_IMPORT_TERMS_H
#define GNNC_IMPORT_TERMS_H

#include "llvm/Support/raw_ostream.h"
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace gnnc::pt2 {

/// A term has one value for the model, for each vertex, or for each edge.
enum class Place { Model, Vertex, Edge };

/// The edges that a term or an aggregation is over: edges of the data, or, for `OneLoop`, those that are no loops and
/// one loop at each vertex: the last one of the data, or one that is added.
enum class EdgeFilter { All, NoLoops, Loops, OneLoop };

/// An end of an edge; `Self` is the vertex whose added loop it is.
enum class End { Source, Target, Self };

struct Term {
  enum class Kind {
    Input,     // `name`
    Parameter, // `name`: a value of the exported program
    Constant,  // `number`
    At,        // a vertex's term at `end` of an edge
    Function,  // elementwise, `name` is the function or operator of the language
    IsLoop,    // of an edge
    IsAdded,   // of a loop: the data have none at this vertex
    LastLoop,  // a term of edges at the last loop of the data at a vertex; where there is none, the second operand
    Transpose, // of a parameter
    Split,     // a parameter, or a Transpose, whose last dimension is two dimensions
    Product,   // the last dimension with the first of a parameter, which may be a Transpose or a Split
    Dot,       // over the last dimension of both
    Aggregate, // `name` (sum, mean, max, min) over the edges of `filter` whose `end` the vertex is
    Count,     // of those edges
    Softmax,   // over those edges, for each edge
    Reduce,    // `name` over the dimension `fromEnd`
    Total,     // `name` over all vertices
    Spread,    // with dimensions along which it is the same
    Flatten,   // the last two dimensions are one
    Concat,    // along the last dimension
    Dropout    // with probability `number`
  };
  Kind kind;
  std::string name;
  double number = 0;
  End end = End::Self;
  EdgeFilter filter = EdgeFilter::All;
  unsigned fromEnd = 0; // a dimension, counted from the last one
  std::vector<const Term *> operands;

  Place place = Place::Model;
  std::vector<int> shape; // dimensions; those of extent 1 are left out
  std::string scope;      // path of the module that computes it; empty for leaves and for the model's own
  unsigned id = 0;        // in order of construction: after its operands
  double lowerBound = 0;  // holds for every finite value of the inputs, and for every graph
  unsigned depth = 0;     // of operands within operands in one module, up to what has a name
};

/// Makes terms and unifies the dimensions that they align.
class TermBuilder {
public:
  /// The module that terms are made in.
  std::string scope;

  /// A dimension that a program calls `name`, if it has a name.
  int newDim(int64_t extent, const std::string &name = "");
  int numDims() const { return int(dims.size()); }
  int64_t extent(int dim) const { return dims[dim].first; }
  const std::string &nameOf(int dim) const { return dims[dim].second; }
  /// Dimensions that were made equal, in order; what they are equal by is in the terms' kinds.
  const std::vector<std::pair<int, int>> &equalities(const Term *term) const;

  const Term *input(const std::string &name, std::vector<int> shape, Place place);
  const Term *parameter(const std::string &value, std::vector<int> shape);
  const Term *constant(double number);
  const Term *at(End end, const Term *term);
  /// The term of the edges of `OneLoop` that is `edge` but at loops, and `loop` of the vertex at these.
  const Term *withLoops(const Term *edge, const Term *loop);
  const Term *lastLoop(const Term *edge, const Term *otherwise);
  const Term *function(const std::string &name, std::vector<const Term *> operands);
  const Term *transpose(const Term *parameter);
  /// `term` with two dimensions of these extents in place of the last; null if that cannot be expressed.
  const Term *split(const Term *term, int64_t first, int64_t second);
  const Term *flatten(const Term *term);
  const Term *product(const Term *left, const Term *parameter);
  const Term *dot(const Term *left, const Term *right);
  const Term *aggregate(const std::string &reduction, End end, EdgeFilter filter, const Term *term);
  const Term *count(End end, EdgeFilter filter);
  const Term *reduce(const std::string &reduction, const Term *term, unsigned fromEnd = 0);
  const Term *total(const std::string &reduction, const Term *term);
  /// `shape` has the dimensions of `term`, in order, and others.
  const Term *spread(const Term *term, std::vector<int> shape);
  const Term *concat(std::vector<const Term *> operands);
  const Term *dropout(const Term *term, double probability);

private:
  const Term *make(Term term, std::vector<std::pair<int, int>> equal = {});
  const Term *divide(const Term *left, const Term *right);
  const Term *equal(const Term *left, const Term *right);
  const Term *splitOperands(const Term *term, int64_t first, int64_t second);
  /// A function of a Flatten and of what can be split is the Flatten of a function.
  const Term *flattenLast(const std::string &name, const std::vector<const Term *> &operands);

  std::deque<Term> terms;
  std::map<std::string, const Term *> known; // by a text of what they are made of
  std::map<const Term *, std::vector<std::pair<int, int>>> equals;
  /// Results of split, by the term's number, the extents, and the module.
  std::map<std::tuple<unsigned, int64_t, int64_t, std::string>, std::optional<const Term *>> splits;
  std::vector<std::pair<int64_t, std::string>> dims; // extents and names
};

/// Whether the term is a leaf of bodies: an input, a constant, a parameter or a view of one.
bool isLeaf(const Term *term);
/// Whether the term is a finite number for every graph: a root of what is at least 1, a constant.
bool isBounded(const Term *term);

} // namespace gnnc::pt2

#endif // GNNC_IMPORT_TERMS_H
