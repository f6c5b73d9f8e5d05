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
#include <vector>

namespace gnnc::pt2 {

/// A term has one value for the model, for each vertex, or for each edge.
enum class Place { Model, Vertex, Edge };

/// The edges of the data that a term or an aggregation is over.
enum class EdgeFilter { All, NoLoops, Loops };

/// An end of an edge; `Self` is the vertex whose added loop it is.
enum class End { Source, Target, Self };

struct Term {
  enum class Kind {
    Input,     // `name`
    Parameter, // `name`: a value of the exported program
    Constant,  // `number`
    At,        // a vertex's term at `end` of an edge
    Function,  // elementwise, `name` is the function or operator of the language
    Transpose, // of a parameter
    Product,   // the last dimension with the first of a parameter, which may be a Transpose
    Dot,       // over the last dimension of both
    Aggregate, // `name` (sum, mean, max, min) over the edges of `filter` whose `end` the vertex is
    Count,     // of those edges
    Reduce,    // `name` over the last dimension
    Concat,    // along the last dimension
    Dropout    // with probability `number`
  };
  Kind kind;
  std::string name;
  double number = 0;
  End end = End::Self;
  EdgeFilter filter = EdgeFilter::All; // also of a term of edges
  std::vector<const Term *> operands;

  Place place = Place::Model;
  std::vector<int> shape; // dimensions; those of extent 1 are left out
  std::string scope;      // path of the module that computes it; empty for leaves and for the model's own
  unsigned id = 0;        // in order of construction: after its operands
};

/// Makes terms and unifies the dimensions that they align.
class TermBuilder {
public:
  /// The module that terms are made in.
  std::string scope;

  int newDim(int64_t extent);
  int64_t extent(int dim) const { return extents[dim]; }
  /// Dimensions that were made equal, in order; what they are equal by is in the terms' kinds.
  const std::vector<std::pair<int, int>> &equalities(const Term *term) const;

  const Term *input(const std::string &name, std::vector<int> shape, Place place);
  const Term *parameter(const std::string &value, std::vector<int> shape);
  const Term *constant(double number);
  const Term *at(End end, EdgeFilter filter, const Term *term);
  const Term *function(const std::string &name, std::vector<const Term *> operands);
  const Term *transpose(const Term *parameter);
  const Term *product(const Term *left, const Term *parameter);
  const Term *dot(const Term *left, const Term *right);
  const Term *aggregate(const std::string &reduction, End end, EdgeFilter filter, const Term *term);
  const Term *count(End end, EdgeFilter filter);
  const Term *reduce(const std::string &reduction, const Term *term);
  const Term *concat(std::vector<const Term *> operands);
  const Term *dropout(const Term *term, double probability);

  unsigned numTerms() const { return unsigned(terms.size()); }

private:
  const Term *make(Term term, std::vector<std::pair<int, int>> equal = {});
  /// The shape of elementwise work on `operands`, whose dimensions are aligned from the last one.
  std::vector<int> align(const std::vector<const Term *> &operands, std::vector<std::pair<int, int>> &equal);
  const Term *sum(const Term *left, const Term *right);
  const Term *multiply(const Term *left, const Term *right);
  const Term *divide(const Term *left, const Term *right);
  const Term *power(const Term *base, const Term *exponent);
  const Term *select(const Term *condition, const Term *yes, const Term *no);
  const Term *equal(const Term *left, const Term *right);

  std::deque<Term> terms;
  std::map<std::string, const Term *> known; // by a text of what they are made of
  std::map<const Term *, std::vector<std::pair<int, int>>> equals;
  std::vector<int64_t> extents;
};

/// A bound that holds for every finite value of the inputs, and for every graph.
double lowerBound(const Term *term);
/// Whether the term is a finite number for every graph: a root of what is at least 1, a constant.
bool isBounded(const Term *term);

} // namespace gnnc::pt2

#endif // GNNC_IMPORT_TERMS_H
